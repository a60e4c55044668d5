/// Measures how well an order that is learned from a history foretells each of its trips before it learns from it.
package struct OrderReplay: Equatable, Sendable {
    /// What is counted.
    package struct Counts: Equatable, Sendable {
        /// Trips that teach something, and their check-offs.
        package var trips = 0
        package var checkOffs = 0
        /// Check-offs of items that were not known.
        package var unknown = 0
        /// Pairs of known items on a trip, and those that were checked off in the order foretold.
        package var pairs = 0
        package var right = 0
        /// Check-offs of an item that was in the first six rows of what was still open, were the list in the order foretold.
        package var visible = 0
        /// Pairs of items that a trip did not have, and that changed their order with it.
        package var flipped = 0

        package init() {}

        package static func + (left: Counts, right: Counts) -> Counts {
            var sum = left
            sum.trips += right.trips
            sum.checkOffs += right.checkOffs
            sum.unknown += right.unknown
            sum.pairs += right.pairs
            sum.right += right.right
            sum.visible += right.visible
            sum.flipped += right.flipped
            return sum
        }
    }

    /// The rows of a list that a watch shows at once.
    package static let firstRows = 6
    /// The numbers of the trips, from 0, at which a part of the table begins. The first trip foretells nothing.
    package static let parts = [1, 3, 6, 11, 21, 41]

    /// For each of `parts`, what was counted on its trips.
    package private(set) var counts = [Counts](repeating: Counts(), count: parts.count)
    private var memory = OrderMemory()
    private var seen: UInt32 = 0

    package init() {}

    /// What was counted on all trips but the first.
    package var total: Counts { counts.reduce(Counts(), +) }

    /// Takes the next event of the history of one store.
    package mutating func take(_ event: OrderEvent) {
        let before = memory
        memory.take(event)
        if memory.learned.learned != before.learned.learned { measure(before) }
    }

    /// Counts the newest trip as one that is over.
    package mutating func finish() {
        measure(memory)
    }

    private mutating func measure(_ memory: OrderMemory) {
        guard let lesson = memory.trip.lesson else { return }
        defer { seen += 1 }
        guard let part = OrderReplay.parts.lastIndex(where: { $0 <= Int(seen) }) else { return }
        counts[part] = counts[part] + OrderReplay.counts(lesson, foretold: memory.learned, then: memory.order)
    }

    /// What is counted on one trip.
    private static func counts(_ lesson: [String], foretold: LearnedOrder, then: LearnedOrder) -> Counts {
        let places = ItemPlacement(foretold)
        let keys = lesson.map { ItemKey(title: $0) }
        var counts = Counts()
        (counts.trips, counts.checkOffs) = (1, keys.count)
        let known = keys.compactMap { foretold.place(of: $0) }
        counts.unknown = keys.count - known.count
        for (index, first) in known.enumerated() {
            for second in known[(index + 1)...] {
                counts.pairs += 1
                if first < second { counts.right += 1 }
            }
        }
        // The rows as the list has them; what was unknown is in the middle, in the order of its titles.
        var rows = keys.sorted { (places.place(of: $0), $0) < (places.place(of: $1), $1) }
        for key in keys {
            guard let row = rows.firstIndex(of: key) else { continue }
            if row < firstRows { counts.visible += 1 }
            rows.remove(at: row)
        }
        let untouched = Set(foretold.titles.map { ItemKey(title: $0) }).subtracting(keys)
        let former = untouched.sorted { (foretold.place(of: $0) ?? 0) < (foretold.place(of: $1) ?? 0) }
        let present = former.compactMap { then.place(of: $0) }
        for (index, first) in present.enumerated() {
            for second in present[(index + 1)...] where first > second { counts.flipped += 1 }
        }
        return counts
    }
}
