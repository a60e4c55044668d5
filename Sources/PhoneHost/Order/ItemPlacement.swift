/// Where items belong in a store's order, also those that were never checked off in it.
package struct ItemPlacement: Sendable {
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

    /// The place of an item on a scale on which the store's first item is 0 and the next one 1. One that only another store knows
    /// is beside its nearest neighbour there that this store knows, on the same side. One that none knows is in the middle.
    package func place(of key: ItemKey) -> Double {
        if let place = store.place(of: key) { return Double(place) }
        return others.lazy.compactMap { neighbouring(key, in: $0) }.first ?? Double(store.count) / 2 - 0.5
    }

    /// The place beside the nearest item of another store's order that this store knows.
    private func neighbouring(_ key: ItemKey, in other: LearnedOrder) -> Double? {
        guard let place = other.place(of: key) else { return nil }
        for distance in 1..<max(2, other.count) {
            for (candidate, side) in [(place - distance, 0.5), (place + distance, -0.5)]
            where other.order.indices.contains(candidate) {
                let title = other.titles[other.order[candidate]]
                if let known = store.place(of: ItemKey(title: title)) { return Double(known) + side }
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
