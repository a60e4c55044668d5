import Foundation
import GRDB
import Wormhole

extension PhoneStore {
    /// Whether the list of this name, or the active one, is to be sorted, because a trip is over since it was sorted last.
    package func isOrderDue(of name: String?) async throws(PhoneError) -> Bool {
        try await read { [dependencies] db in
            try ListOrder.isDue(db, try ListRecord.find(db, name: name), dependencies)
        }
    }

    /// Sorts the list of this name, or the active one, where that is due. Where it cannot be stored the list stays as it is.
    ///
    /// Only the host that serves may do so unannounced: its watches would keep the old order otherwise.
    package func settleOrder(of name: String?) async throws(PhoneError) {
        do throws(PhoneError) {
            try await write { [dependencies] db in
                _ = try ListOrder(db, of: try ListRecord.find(db, name: name), dependencies).settle(db)
            }
        } catch .readOnly, .diskFull, .locked {
            // It can be read all the same.
        }
    }

    /// Gives an open item of the list of this name, or of the active one, another place. Check-offs do not sort the list from
    /// now on.
    ///
    /// - Parameter query: means the item, as `ItemSelector` finds it.
    /// - Returns: the list's name, the item, its place from 1, and how many items are open.
    /// - Throws: `.noSuchItem`, `.ambiguousItem`, `.noSuchList`, or what the database throws.
    package func move(
        _ query: String, to position: ListPosition, on name: String?
    ) async throws(PhoneError) -> (list: String, item: StoredItem, place: Int, count: Int) {
        try await write { [dependencies] db in
            let list = try ListRecord.find(db, name: name)
            var rows = try StoredItem.all(db, in: list).filter(\.state.isOpen)
            let selector = ItemSelector(ListContents(name: list.name, items: rows), preferring: .open)
            let item = try selector.item(query)
            let before = rows.firstIndex(of: item) ?? 0
            rows.remove(at: before)
            func index(of neighbour: String) throws -> Int? { rows.firstIndex(of: try selector.item(neighbour)) }
            let place =
                switch position {
                case .number(let number): min(number - 1, rows.count)
                case .before(let other): try index(of: other) ?? before
                case .after(let other): try index(of: other).map { $0 + 1 } ?? before
                }
            rows.insert(item, at: place)
            let kept = rows.map { $0.id == item.id && place != before ? nil : $0.rank }
            for (row, rank) in zip(rows, RowRanks.ranks(kept) ?? []) where row.rank != rank {
                try db.execute(cached: "UPDATE item SET rank = ? WHERE id = ?", arguments: [rank, row.id.rawValue])
            }
            try db.execute(cached: "UPDATE list SET ordering = 'arranged' WHERE number = ?", arguments: [list.number])
            try list.touch(db, at: dependencies.now())
            return (list.name, item, place + 1, rows.count)
        }
    }

    /// Has check-offs sort the list of this name, or the active one, again: now, and when a trip is over.
    ///
    /// - Returns: the list's name.
    package func sortAsLearned(_ name: String?) async throws(PhoneError) -> String {
        try await write { [dependencies] db in
            let list = try ListRecord.find(db, name: name)
            try db.execute(cached: "UPDATE list SET ordering = 'learned' WHERE number = ?", arguments: [list.number])
            try ListOrder(db, of: list, dependencies).sortNow(db)
            return list.name
        }
    }

    /// The order of the store of this name, which may be that of a list; of the active list's store where it is nil.
    ///
    /// - Throws: `.noSuchStore`, or what the database throws.
    package func order(of name: String? = nil) async throws(PhoneError) -> ShopOrder {
        try await write { [dependencies] db in
            let store = try ShopRecord.find(db, name)
            for list in try store.lists(db).prefix(1) {
                _ = try ListOrder(db, of: list, dependencies).shelves(db)
            }
            return ShopOrder(
                store: try ShopSummary(db, store),
                learned: try LearnedOrderTable.memory(db, of: store)?.order ?? LearnedOrder())
        }
    }

    /// The stores, those with names first.
    package func stores() async throws(PhoneError) -> [ShopSummary] {
        try await read { db in try ShopRecord.all(db).map { try ShopSummary(db, $0) } }
    }

    /// Assigns a list to the store of this name, from now on. A store that is not there is made: of what was learned of the list
    /// so far, where the list was assigned to none, else with nothing learned.
    ///
    /// - Parameter list: its name; nil for the active one.
    /// - Throws: `.noSuchList`, `.emptyTitle`, or what the database throws.
    package func assign(_ list: String?, to store: String) async throws(PhoneError) -> ShopSummary {
        let name = try CleanTitle(store).text
        return try await write { [dependencies] db in
            let list = try ListRecord.find(db, name: list)
            let before = try ShopRecord.of(db, list)
            // Before its check-offs are of another store.
            _ = try ListOrder(db, of: list, dependencies).settle(db)
            let found = try ShopRecord.named(db, name)
            if found == before { return try ShopSummary(db, before) }
            if found == nil { try db.execute(cached: "INSERT INTO store (name) VALUES (?)", arguments: [name]) }
            let number = found?.number ?? db.lastInsertedRowID
            let newest = try Int64.fetchOne(db, cached: "SELECT max(number) FROM history") ?? 0
            let since = found == nil && before.name == nil ? 0 : newest + 1
            try db.execute(
                cached: "INSERT OR REPLACE INTO storeOfList (list, since, store) VALUES (?, ?, ?)",
                arguments: [list.number, since, number])
            if since == 0 { try LearnedOrderTable.forget(db, before) }
            try ListOrder(db, of: list, dependencies).sortNow(db)
            return try ShopSummary(db, try ShopRecord.of(db, list))
        }
    }
}

extension ShopRecord {
    /// The store of this name, that of the list of this name, or that of the active list.
    fileprivate static func find(_ db: Database, _ name: String?) throws -> ShopRecord {
        guard let name else { return try of(db, try ListRecord.find(db, name: nil)) }
        if let store = try named(db, name) { return store }
        do { return try of(db, try ListRecord.find(db, name: name)) } catch PhoneError.noSuchList {
            throw PhoneError.noSuchStore(name: name, known: try all(db).map { try ShopSummary(db, $0).name })
        }
    }
}

extension ShopSummary {
    fileprivate init(_ db: Database, _ store: ShopRecord) throws {
        let lists = try store.lists(db).map(\.name)
        let learned = try LearnedOrderTable.memory(db, of: store)?.order
        self.init(
            name: store.name ?? lists.first ?? "", kind: store.name == nil ? .ofList : .named, lists: lists,
            trips: Int(learned?.learned ?? 0), items: learned?.count ?? 0)
    }
}
