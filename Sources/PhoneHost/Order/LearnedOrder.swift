/// The order in which the owner buys the items of a shop, learned from the check-offs of trips.
///
/// It uses local Kemeny aggregation (Dwork, Kumar, Naor and Sivakumar, "Rank aggregation methods for the web", WWW10, 2001).
/// Each pair of items on a trip is a vote: the item that was checked off first comes first in the order. After a trip, each of
/// the trip's items moves to the place with which the fewest votes disagree. The other items keep their relative order.
package struct LearnedOrder: Equatable, Sendable {
    package struct Trip: Equatable, Codable, Sendable {
        /// When the trip began, in local seconds since 1970.
        package let start: Int64
        /// The numbers of the trip's items, in the order of their check-offs.
        package var items: [Int]
    }

    /// How many of an item's newest trips vote on its place.
    package static let memories = 6
    /// On each trip, at most this number of items before an item, and at most this number after it, vote on that item's place.
    package static let reach = 12
    /// An item's newest trip votes with weight 1. For each earlier trip of the item, the weight is multiplied by this factor once
    /// more. With 0.6, the order adapts sooner to a rearranged shop. With 0.8, the order is 0.1 to 0.4 percentage points more
    /// accurate in an unchanged shop.
    package static let fading = 0.7
    /// How many times `learn` places each item of a trip. The second time, the other items already have their new places.
    static let rounds = 2
    /// The maximum number of items. If a trip adds more, the order keeps only three quarters of this number: the most recently
    /// bought items.
    package static let mostItems = 2_048
    package static let mostTrips = 256
    static let mostCheckOffs = 16_384

    /// The titles in their latest spelling, indexed by item number.
    package private(set) var titles: [String] = []
    package private(set) var order: [Int] = []
    /// The remembered trips, oldest first.
    package private(set) var trips: [Trip] = []
    /// The number of trips from which the order was learned, including trips that are no longer in `trips`.
    package private(set) var learned: UInt32 = 0
    private var numbers: [ItemKey: Int] = [:]
    /// The place of each item in `order`, indexed by item number.
    private var places: [Int] = []

    package init() {}

    package var count: Int { order.count }

    package func place(of key: ItemKey) -> Int? {
        numbers[key].map { places[$0] }
    }

    package func number(of key: ItemKey) -> Int? { numbers[key] }

    /// Learns from a trip.
    ///
    /// - Parameters:
    ///   - checkedOff: the titles of the items in the order of their check-offs, each item once.
    ///   - start: when the trip began, in local seconds since 1970.
    package mutating func learn(_ checkedOff: [String], start: Int64) {
        let known = order.count
        let items = checkedOff.map { enter($0) }
        learned += 1
        trips.append(Trip(start: start, items: items))
        if known == 0 {
            order = items
            renumber(0...order.count)
        } else {
            spread(items, known: known)
            let votes = Votes.all(about: items, from: trips, items: titles.count)
            for _ in 0..<LearnedOrder.rounds {
                for (item, votes) in zip(items, votes) { placeAnew(item, votes) }
            }
        }
        forgetOldest()
    }

    private mutating func enter(_ title: String) -> Int {
        let key = ItemKey(title: title)
        if let number = numbers[key] {
            titles[number] = title
            return number
        }
        numbers[key] = titles.count
        titles.append(title)
        places.append(LearnedOrder.nowhere)
        return titles.count - 1
    }

    private static let nowhere = -1

    /// Adds a trip's new items to the order. If the trip has several new items between two known items, spreads the new items
    /// evenly between the places of these known items.
    ///
    /// - Parameter known: the number of items in the order before the trip.
    private mutating func spread(_ items: [Int], known: Int) {
        var entries = order.enumerated().map { (place: Double($0.offset), item: $0.element) }
        var run: [Int] = []
        var lower = -1.0
        func enter(upTo upper: Double) {
            let step = (upper - lower) / Double(run.count + 1)
            entries += run.enumerated().map { (lower + step * Double($0.offset + 1), $0.element) }
            run = []
        }
        for item in items {
            if places[item] == LearnedOrder.nowhere {
                run.append(item)
            } else {
                enter(upTo: Double(places[item]))
                lower = Double(places[item])
            }
        }
        enter(upTo: Double(known))
        // If `order` has the two known items the other way round, the new items still go between them. The sort is stable.
        order = entries.sorted { $0.place < $1.place }.map(\.item)
        renumber(0...order.count)
    }

    private mutating func placeAnew(_ item: Int, _ votes: [Vote]) {
        let old = places[item]
        let new = Votes.best(votes, around: old, among: order.count) { places[$0] }
        guard new != old else { return }
        order.remove(at: old)
        order.insert(item, at: new)
        renumber(min(old, new)...max(old, new))
    }

    private mutating func renumber(_ range: ClosedRange<Int>) {
        for place in range where place < order.count { places[order[place]] = place }
    }

    private mutating func forgetOldest() {
        var checkOffs = trips.reduce(0) { $0 + $1.items.count }
        while trips.count > LearnedOrder.mostTrips || (checkOffs > LearnedOrder.mostCheckOffs && trips.count > 1) {
            checkOffs -= trips.removeFirst().items.count
        }
        guard order.count > LearnedOrder.mostItems else { return }
        // Keeps only three quarters of the maximum, so that this seldom happens.
        var remembered = Set<Int>()
        for trip in trips.reversed() {
            for item in trip.items where remembered.count < LearnedOrder.mostItems * 3 / 4 { remembered.insert(item) }
        }
        forget(allBut: remembered)
    }

    private mutating func forget(allBut remembered: Set<Int>) {
        let former = remembered.sorted()
        let new = Dictionary(uniqueKeysWithValues: former.enumerated().map { ($0.element, $0.offset) })
        titles = former.map { titles[$0] }
        order = order.compactMap { new[$0] }
        trips = trips.map { Trip(start: $0.start, items: $0.items.compactMap { new[$0] }) }
        numbers = Dictionary(uniqueKeysWithValues: titles.enumerated().map { (ItemKey(title: $0.element), $0.offset) })
        places = Array(repeating: 0, count: titles.count)
        renumber(0...order.count)
    }
}

extension LearnedOrder: Codable {
    private enum CodingKeys: CodingKey {
        case titles, order, trips, learned
    }

    /// - Throws: `DecodingError` if the titles, the order and the trips contradict one another.
    package init(from decoder: any Decoder) throws {
        let parts = try decoder.container(keyedBy: CodingKeys.self)
        titles = try parts.decode([String].self, forKey: .titles)
        order = try parts.decode([Int].self, forKey: .order)
        trips = try parts.decode([Trip].self, forKey: .trips)
        learned = try parts.decode(UInt32.self, forKey: .learned)
        let keys = titles.enumerated().map { (ItemKey(title: $0.element), $0.offset) }
        numbers = Dictionary(keys, uniquingKeysWith: { first, _ in first })
        guard titles.count == order.count, Set(order) == Set(titles.indices), numbers.count == titles.count,
            trips.allSatisfy({ $0.items.allSatisfy(titles.indices.contains) && Set($0.items).count == $0.items.count })
        else { throw DecodingError.dataCorruptedError(forKey: .order, in: parts, debugDescription: "") }
        places = Array(repeating: 0, count: titles.count)
        renumber(0...titles.count)
    }
}

/// Identifies an item across trips, by its title without case and extra spaces: "eggs" and "Eggs " are one item. The
/// `ItemIdentifier` cannot do this, because the item gets a new one each time it is added to a list.
package struct ItemKey: Hashable, Comparable, Sendable {
    /// The title in lowercase, with single spaces.
    package let text: String

    package init(title: String) {
        text = title.split(separator: " ").joined(separator: " ").lowercased()
    }

    package static func < (left: ItemKey, right: ItemKey) -> Bool { left.text < right.text }
}
