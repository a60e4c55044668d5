/// Finds the place of any item in a shop's order, even if the item was never checked off in that shop.
package struct ItemPlacement: Sendable {
    private let shop: LearnedOrder
    private let others: [LearnedOrder]

    /// - Parameter others: the orders of other shops, for items that `shop` does not know. The first order that can place such
    ///   an item is used.
    package init(_ shop: LearnedOrder, others: [LearnedOrder] = []) {
        self.shop = shop
        self.others = others
    }

    /// Whether no order is known for the shop. Items then stay in the order in which they were added.
    package var isEmpty: Bool { shop.count == 0 }

    /// Finds the item's place in the shop's order: 0 for the first item, 1 for the second, fractions between them.
    ///
    /// If this shop does not know the item, searches the other shops' orders in turn. If an order has the item, finds the
    /// nearest item in that order that this shop knows, and returns a place beside this known item. If every search fails,
    /// returns the middle of this shop's order.
    package func place(of key: ItemKey) -> Double {
        if let place = shop.place(of: key) { return Double(place) }
        return others.lazy.compactMap { neighbouring(key, in: $0) }.first ?? Double(shop.count) / 2 - 0.5
    }

    private func neighbouring(_ key: ItemKey, in other: LearnedOrder) -> Double? {
        guard let place = other.place(of: key) else { return nil }
        for distance in 1..<max(2, other.count) {
            for (candidate, side) in [(place - distance, 0.5), (place + distance, -0.5)]
            where other.order.indices.contains(candidate) {
                let title = other.titles[other.order[candidate]]
                if let known = shop.place(of: ItemKey(title: title)) { return Double(known) + side }
            }
        }
        return nil
    }

    /// Returns the indices of `places` in ascending order of place. The indices of equal places keep their order.
    package static func sorted(_ places: [Double]) -> [Int] {
        places.indices.sorted { places[$0] == places[$1] ? $0 < $1 : places[$0] < places[$1] }
    }

    /// Finds where new items go among rows that keep their order. Each new item goes where the fewest rows are misplaced. A row is
    /// misplaced if it comes before the new item but has a later place, or if it comes after the new item but has an earlier or
    /// equal place.
    ///
    /// - Parameters:
    ///   - new: the learned places of the new items.
    ///   - rows: the learned places of the rows, from the top.
    /// - Returns: the number of rows before each item of `new`.
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
