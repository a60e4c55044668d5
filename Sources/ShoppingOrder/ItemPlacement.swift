/// Where items belong in a store's order, also those that were never checked off in it.
package struct ItemPlacement: Sendable {
    /// Why an item has its place.
    package enum Reason: Equatable, Sendable {
        /// It was checked off in this store.
        case known(place: Int)
        /// It was checked off in another store only, where this one is its nearest neighbour that is known in both. It is beside
        /// that neighbour, on the same side.
        case neighbour(title: String, side: Side, store: Int)
        /// Nothing is known of it: it is in the middle.
        case unknown
    }

    /// A side of a neighbour.
    package enum Side: String, Equatable, Sendable {
        case before
        case after
    }

    private let store: LearnedOrder
    private let others: [LearnedOrder]

    /// - Parameters:
    ///   - store: what was learned of the store.
    ///   - others: what was learned of other stores, which is asked in this order.
    package init(_ store: LearnedOrder, others: [LearnedOrder] = []) {
        self.store = store
        self.others = others
    }

    /// Whether there is an order at all: where nothing was learned, items stay in the order in which they were added.
    package var isEmpty: Bool { store.count == 0 }

    /// Why an item has its place.
    package func reason(for key: ItemKey) -> Reason {
        if let place = store.place(of: key) { return .known(place: place) }
        for (index, other) in others.enumerated() {
            if let (title, side) = neighbour(of: key, in: other) {
                return .neighbour(title: title, side: side, store: index)
            }
        }
        return .unknown
    }

    /// The place of an item on a scale on which the store's first item is 0 and the next one 1.
    package func place(of key: ItemKey) -> Double {
        switch reason(for: key) {
        case .known(let place): Double(place)
        case .neighbour(let title, let side, _):
            Double(store.place(of: ItemKey(title: title)) ?? 0) + (side == .before ? -0.5 : 0.5)
        case .unknown: Double(store.count) / 2 - 0.5
        }
    }

    /// The nearest item of another store's order that this store knows, and on which side of it the item is.
    private func neighbour(of key: ItemKey, in other: LearnedOrder) -> (title: String, side: Side)? {
        guard let place = other.place(of: key) else { return nil }
        for distance in 1..<max(2, other.count) {
            for (candidate, side) in [(place - distance, Side.after), (place + distance, Side.before)]
            where other.order.indices.contains(candidate) {
                let title = other.titles[other.order[candidate]]
                if store.place(of: ItemKey(title: title)) != nil { return (title, side) }
            }
        }
        return nil
    }

    /// The indices of `places` in their order; equal places stay as they are.
    package static func sorted(_ places: [Double]) -> [Int] {
        places.indices.sorted { places[$0] == places[$1] ? $0 < $1 : places[$0] < places[$1] }
    }

    /// Where new items go among rows that stay as they are: for each of them in the order of `new`, how many rows come before
    /// it. That is where it is on the wrong side of the fewest rows, and behind those with the same place.
    package static func insertions(of new: [Double], among rows: [Double]) -> [Int] {
        if zip(rows, rows.dropFirst()).allSatisfy({ $0 <= $1 }) {
            return new.map { place in
                var (low, high) = (0, rows.count)
                while low < high {
                    let middle = (low + high) / 2
                    if rows[middle] <= place { low = middle + 1 } else { high = middle }
                }
                return low
            }
        }
        return new.map { place in
            var (wrong, fewest, best) = (0, 0, 0)
            for (index, row) in rows.enumerated() {
                wrong += row <= place ? -1 : 1
                if wrong <= fewest { (fewest, best) = (wrong, index + 1) }
            }
            return best
        }
    }
}
