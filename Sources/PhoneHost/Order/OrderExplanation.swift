/// Why an item is where it is in a store's order.
package struct OrderExplanation: Equatable, Sendable {
    /// A trip on which it was checked off.
    package struct Trip: Equatable, Sendable {
        /// When it began, in local seconds since 1970.
        package let start: Int64
        /// Which of the trip's check-offs it was, from 1, and how many there were.
        package let place: Int
        package let count: Int
        /// What its votes weigh, 1 for its newest trip.
        package let weight: Double
        /// The titles of the items that were checked off before it and after it, nearest first; three at most.
        package let before: [String]
        package let after: [String]
    }

    /// A side of a neighbour.
    package enum Side: String, Equatable, Sendable {
        case before
        case after
    }

    /// What the votes say of it and another item.
    package struct Neighbour: Equatable, Sendable {
        package let title: String
        /// On which side of the other one it is.
        package let side: Side
        /// How many of its trips say so, and how many say the opposite; none of either where no trip has both.
        package let agreeing: Int
        package let opposing: Int
    }

    package let title: String
    /// Its place in the order, from 1.
    package let place: Int
    /// How many items are in order.
    package let count: Int
    /// Its trips, the newest first.
    package let trips: [Trip]
    /// The items around it in the order, those before it first; two on each side at most.
    package let neighbours: [Neighbour]

    private static let shownOnTrip = 3
    private static let shownAround = 2

    /// - Returns: nil where the item is not known.
    package init?(_ key: ItemKey, in order: LearnedOrder) {
        guard let item = order.number(of: key), let place = order.place(of: key) else { return nil }
        title = order.titles[item]
        self.place = place + 1
        count = order.count
        let having = order.trips.reversed().filter { $0.items.contains(item) }.prefix(LearnedOrder.memories)
        var weight = 1.0
        var trips: [Trip] = []
        for trip in having {
            guard let index = trip.items.firstIndex(of: item) else { continue }
            let shown = OrderExplanation.shownOnTrip
            trips.append(
                Trip(
                    start: trip.start, place: index + 1, count: trip.items.count, weight: weight,
                    before: trip.items[..<index].suffix(shown).reversed().map { order.titles[$0] },
                    after: trip.items[(index + 1)...].prefix(shown).map { order.titles[$0] }))
            weight *= LearnedOrder.fading
        }
        self.trips = trips
        let around =
            max(0, place - OrderExplanation.shownAround)..<min(order.count, place + OrderExplanation.shownAround + 1)
        neighbours = around.filter { $0 != place }.map { other in
            let number = order.order[other]
            let side: Side = other < place ? .after : .before
            let votes = having.compactMap { trip -> Side? in
                guard let own = trip.items.firstIndex(of: item), let its = trip.items.firstIndex(of: number) else {
                    return nil
                }
                return its < own ? .after : .before
            }
            let agreeing = votes.count { $0 == side }
            return Neighbour(
                title: order.titles[number], side: side, agreeing: agreeing, opposing: votes.count - agreeing)
        }
    }
}
