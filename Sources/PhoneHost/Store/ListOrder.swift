import Foundation
import GRDB
import Wormhole

/// Sorts a list in the learned order of its shop. Call these functions inside a transaction.
struct ListOrder {
    let list: ListRecord
    private let shop: ShopRecord
    private let table: LearnedOrderTable
    private let dependencies: PhoneDependencies

    init(_ db: Database, of list: ListRecord, _ dependencies: PhoneDependencies) throws {
        self.list = list
        self.dependencies = dependencies
        shop = try ShopRecord.of(db, list)
        table = LearnedOrderTable(shop: shop, dependencies: dependencies)
    }

    enum Outcome: Equatable {
        /// Nothing was checked off since the list was last sorted.
        case present
        /// A trip is running. If nothing else is checked off, the trip ends at `until`, and the phone then sorts the
        /// list.
        case waiting(until: Date)
        case sorted
    }

    /// Whether `settle` is due: a trip has ended since the list was last sorted, or no order is stored for the shop.
    static func isDue(_ db: Database, _ list: ListRecord, _ dependencies: PhoneDependencies) throws -> Bool {
        let order = try ListOrder(db, of: list, dependencies)
        guard let newest = try newestCheckOff(db, of: order.shop) else { return false }
        guard let latest = try order.table.latest(db) else { return true }
        return newest.number > latest && order.endOfTrip(newest) == nil
    }

    /// If a trip has ended, learns from it and sorts the open items of all the shop's lists.
    func settle(_ db: Database) throws -> Outcome {
        guard let newest = try ListOrder.newestCheckOff(db, of: shop) else { return .present }
        let latest = try table.latest(db)
        if latest == nil { try learnOthers(db) }
        if let latest, newest.number <= latest { return .present }
        if let end = endOfTrip(newest) {
            if latest == nil { _ = try table.learn(db, isTripRunning: true) }
            return .waiting(until: end)
        }
        let order = try table.learn(db, isTripRunning: false).order
        for list in try shop.lists(db) { try sort(db, list, try places(db, order)) }
        return .sorted
    }

    /// Returns the places of items in the learned order; nil if nothing was learned, or if the owner arranges the list
    /// by hand. Calls `settle` first. If the stored order is damaged, learns it again.
    func placement(_ db: Database) throws -> ItemPlacement? {
        _ = try settle(db)
        var memory = try LearnedOrderTable.memory(db, of: shop)
        if memory == nil, try table.latest(db) != nil {
            try LearnedOrderTable.forget(db, shop)
            _ = try settle(db)
            memory = try LearnedOrderTable.memory(db, of: shop)
        }
        guard memory != nil || shop.name != nil, try !list.isArranged(db) else { return nil }
        let places = try places(db, memory?.order ?? LearnedOrder())
        return places.isEmpty ? nil : places
    }

    func sortNow(_ db: Database) throws {
        if let placement = try placement(db) { try sort(db, list, placement) }
    }

    /// Learns and stores the missing orders of all other shops, because `places` uses those orders too.
    private func learnOthers(_ db: Database) throws {
        for other in try ShopRecord.all(db) where other != shop {
            let table = LearnedOrderTable(shop: other, dependencies: dependencies)
            guard try table.latest(db) == nil else { continue }
            let end = try ListOrder.newestCheckOff(db, of: other).flatMap(endOfTrip)
            _ = try table.learn(db, isTripRunning: end != nil)
        }
    }

    private static func newestCheckOff(
        _ db: Database, of shop: ShopRecord
    ) throws -> (number: Int64, at: Date)? {
        var newest: (number: Int64, at: Date)?
        for list in try shop.lists(db) {
            let row = try StoredRow.one(
                db, of: "history",
                sql: """
                    SELECT number, at FROM history WHERE list = ? AND event = 'checked' ORDER BY number DESC LIMIT 1
                    """, arguments: [list.number])
            guard let row else { continue }
            let number: Int64 = try row["number"]
            if number > newest?.number ?? 0 { newest = (number, try row["at"]) }
        }
        return newest
    }

    /// The time at which the newest trip ends, provided that nothing else is checked off. Nil if the trip has ended.
    private func endOfTrip(_ newest: (number: Int64, at: Date)) -> Date? {
        let now = dependencies.now()
        let arrival = Int64(newest.at.timeIntervalSince1970)
        guard !OrderMemory.isOver(arrival: arrival, now: Int64(now.timeIntervalSince1970)) else { return nil }
        return newest.at.addingTimeInterval(Double(RunningTrip.longestGap + 1))
    }

    /// The maximum number of other shops in whose orders the phone looks for an item that this shop does not know.
    private static let mostOthers = 4

    private func places(_ db: Database, _ order: LearnedOrder) throws -> ItemPlacement {
        let rows = try StoredRow.all(
            db, of: "learnedOrder",
            sql: "SELECT memory FROM learnedOrder WHERE number <> ? ORDER BY latest DESC, number LIMIT ?",
            arguments: [shop.number, ListOrder.mostOthers])
        let others = try rows.compactMap { OrderMemory(bytes: try $0["memory"])?.order }.filter { $0.count > 0 }
        // A new shop starts with the order of the shop that was used last.
        if order.count == 0, shop.name != nil, let first = others.first {
            return ItemPlacement(first, others: Array(others.dropFirst()))
        }
        return ItemPlacement(order, others: others)
    }

    /// Sorts the open items of a list. Changes as few ranks as possible, because the phone sends each changed rank to
    /// every watch.
    private func sort(_ db: Database, _ list: ListRecord, _ placement: ItemPlacement) throws {
        guard !placement.isEmpty, try !list.isArranged(db) else { return }
        let rows = try OpenRow.all(db, of: list)
        let order = ItemPlacement.sorted(rows.map { placement.place(of: ItemKey(title: $0.title)) })
        try OpenRow.give(db, order.map { rows[$0] }, RowRanks.ranks(order.map { rows[$0].rank }))
    }

    /// Finds ranks for new items, one for each of `drafts`. Gives existing rows new ranks if necessary, but keeps their
    /// order.
    ///
    /// - Returns: nil if nothing was learned, if the owner arranges the list by hand, or if the list has no room.
    func ranks(_ db: Database, for drafts: [ItemDraft]) throws -> [UInt32]? {
        guard let placement = try placement(db) else { return nil }
        let rows = try OpenRow.all(db, of: list)
        return try ListOrder.ranks(db, for: drafts.map(\.title.text), among: rows, placement)
    }

    /// Sorts new titles, and finds their positions among existing rows.
    ///
    /// - Returns: the titles' indices in learned order, and for each of these indices the number of rows above its title.
    private static func insertions(
        of titles: [String], among rows: [OpenRow], _ placement: ItemPlacement
    ) -> (sorted: [Int], before: [Int]) {
        let places = titles.map { placement.place(of: ItemKey(title: $0)) }
        let sorted = ItemPlacement.sorted(places)
        let before = ItemPlacement.insertions(
            of: sorted.map { places[$0] }, among: rows.map { placement.place(of: ItemKey(title: $0.title)) })
        return (sorted, before)
    }

    private static func ranks(
        _ db: Database, for titles: [String], among rows: [OpenRow], _ placement: ItemPlacement
    ) throws -> [UInt32]? {
        let (sorted, insertions) = insertions(of: titles, among: rows, placement)
        // A new item has no row; an existing row has item -1.
        var merged: [(row: OpenRow?, item: Int)] = []
        var next = 0
        for index in 0...rows.count {
            // The rows may be unsorted. An item's position may then be before that of an item that is already merged.
            while next < sorted.count, insertions[next] <= index {
                merged.append((nil, sorted[next]))
                next += 1
            }
            if index < rows.count { merged.append((rows[index], -1)) }
        }
        for item in sorted[next...] { merged.append((nil, item)) }
        guard let ranks = RowRanks.ranks(merged.map { $0.row?.rank }) else { return nil }
        var result = [UInt32](repeating: 0, count: titles.count)
        for (entry, rank) in zip(merged, ranks) where entry.row == nil { result[entry.item] = rank }
        let existing = zip(merged, ranks).filter { $0.0.row != nil }
        try OpenRow.give(db, existing.compactMap(\.0.row), existing.map(\.1))
        return result
    }

    /// Returns the ranks that items with these titles would get if they were added now. The items go to the end if
    /// nothing was learned, or if the owner arranges the list by hand.
    ///
    /// Changes no existing rank. If no rank is free between two rows, an item that belongs there gets the rank of the
    /// upper row.
    func offeredRanks(_ db: Database, for titles: [String]) throws -> [UInt32] {
        let placement = try LearnedOrderTable.memory(db, of: shop).map { try places(db, $0.order) }
        guard let placement, !placement.isEmpty, try !list.isArranged(db) else {
            let last = UInt64(try StoredItem.lastRank(db, in: list))
            return titles.indices.map { UInt32(clamping: last + UInt64($0 + 1) * UInt64(RowRanks.step)) }
        }
        let rows = try OpenRow.all(db, of: list)
        let (sorted, insertions) = ListOrder.insertions(of: titles, among: rows, placement)
        let together = Dictionary(insertions.map { ($0, 1) }, uniquingKeysWith: +)
        var ranks = [UInt32](repeating: 0, count: titles.count)
        var given: [Int: UInt64] = [:]
        for (title, index) in zip(sorted, insertions) {
            given[index, default: 0] += 1
            let (number, count) = (given[index] ?? 1, UInt64(together[index] ?? 1))
            let before = UInt64(index == 0 ? 0 : rows[index - 1].rank)
            let rank =
                index == rows.count
                ? before + number * UInt64(RowRanks.step)
                : before + (UInt64(rows[index].rank) - before) * number / (count + 1)
            ranks[title] = UInt32(clamping: rank)
        }
        return ranks
    }

    /// Moves a newly unchecked item to its learned place among the open items, if it is not there already.
    static func putBack(_ db: Database, _ item: StoredItem, on list: ListRecord) throws {
        guard try !list.isArranged(db), let memory = try LearnedOrderTable.memory(db, of: try ShopRecord.of(db, list))
        else { return }
        let placement = ItemPlacement(memory.order)
        let rows = try OpenRow.all(db, of: list).filter { $0.id != item.id.rawValue }
        let index = insertions(of: [item.title], among: rows, placement).before[0]
        let followsItsNeighbour = index == 0 || rows[index - 1].rank < item.rank
        let precedesItsNeighbour = index == rows.count || item.rank < rows[index].rank
        let isRight = followsItsNeighbour && precedesItsNeighbour
        guard !placement.isEmpty, !isRight else { return }
        guard let rank = try ranks(db, for: [item.title], among: rows, placement)?[0] else { return }
        try OpenRow.give(db, [OpenRow(id: item.id.rawValue, rank: item.rank, title: item.title)], [rank])
    }
}

private struct OpenRow {
    let id: UInt32
    let rank: UInt32
    let title: String

    static func all(_ db: Database, of list: ListRecord) throws -> [OpenRow] {
        try StoredRow.all(
            db, of: "item",
            sql: "SELECT id, rank, title FROM item WHERE list = ? AND checkedAt IS NULL ORDER BY rank, id",
            arguments: [list.number]
        ).map { OpenRow(id: try $0["id", 1...UInt32.max], rank: try $0["rank"], title: try $0["title"]) }
    }

    static func give(_ db: Database, _ rows: [OpenRow], _ ranks: [UInt32]?) throws {
        guard let ranks else { return }
        for (row, rank) in zip(rows, ranks) where row.rank != rank {
            try db.execute(cached: "UPDATE item SET rank = ? WHERE id = ?", arguments: [rank, row.id])
        }
    }
}
