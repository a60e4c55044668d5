package struct OrderExplanation: Equatable, Sendable {
    package struct Trip: Equatable, Sendable {
        /// When the trip began, in local seconds since 1970.
        package let start: Int64
        /// The position of the item's check-off on the trip, starting at 1.
        package let place: Int
        package let count: Int
        /// How much the trip counts for the item's place in the order: 1 for the item's newest trip, less for each earlier one.
        package let weight: Double
        /// The titles of up to three items that were checked off before this one, nearest first.
        package let before: [String]
        package let after: [String]
    }

    package enum Side: String, Equatable, Sendable {
        case before
        case after
    }

    package struct Neighbour: Equatable, Sendable {
        package let title: String
        /// Whether the explained item is before or after this neighbour in the order.
        package let side: Side
        /// The number of the explanation's `trips` on which the item was on that side of this neighbour. If `agreeing` and
        /// `opposing` are both 0, none of these trips had both the item and the neighbour.
        package let agreeing: Int
        package let opposing: Int
    }

    package let title: String
    /// The item's position in the order, starting at 1.
    package let place: Int
    package let count: Int
    /// The item's trips that vote on its place, at most `LearnedOrder.memories`, newest first.
    package let trips: [Trip]
    /// The items next to this one in the learned order: at most two before it, then at most two after it.
    package let neighbours: [Neighbour]

    private static let shownOnTrip = 3
    private static let shownAround = 2

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
