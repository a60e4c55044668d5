import Foundation
import GRDB
import Wormhole

extension PhoneStore {
    package func isOrderDue(of name: String?) async throws(PhoneError) -> Bool {
        try await read { [dependencies] db in
            try ListOrder.isDue(db, try ListRecord.find(db, name: name), dependencies)
        }
    }

    /// Sorts a list in the learned order if a shopping trip has ended since the list was last sorted. Does nothing if
    /// the database cannot be written.
    ///
    /// If another process serves the database, the caller must tell that process to read the database again. The watches
    /// get the new order only then.
    package func settleOrder(of name: String?) async throws(PhoneError) {
        do throws(PhoneError) {
            try await write { [dependencies] db in
                _ = try ListOrder(db, of: try ListRecord.find(db, name: name), dependencies).settle(db)
            }
        } catch .readOnly, .diskFull, .locked {
            // The caller can still read the unsorted list.
        }
    }

    /// Moves the open item that `query` means (see `ItemSelector`). From then on, check-offs do not sort the list.
    /// Returns the item's new `place`, from 1, and the `count` of open items.
    package func move(
        _ query: String, to position: ListPosition, on name: String?
    ) async throws(PhoneError) -> (list: String, item: StoredItem, place: Int, count: Int) {
        try await write { [dependencies] db in
            let list = try ListRecord.find(db, name: name)
            let items = try StoredItem.all(db, in: list)
            var rows = items.filter(\.state.isOpen)
            let selector = ItemSelector(ListContents(name: list.name, items: rows), preferring: .open)
            let item: StoredItem
            do {
                item = try selector.item(query)
            } catch PhoneError.noSuchItem(let words, let listName) {
                // The checked-off items may have one title several times, once for each trip, so the first match counts.
                let checked = items.first { !$0.state.isOpen && $0.title.lowercased().hasPrefix(query.lowercased()) }
                guard let checked else { throw PhoneError.noSuchItem(query: words, list: listName) }
                throw PhoneError.itemCheckedOff(title: checked.title, list: listName)
            }
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
            let present = rows.map { $0.id == item.id && place != before ? nil : $0.rank }
            for (row, rank) in zip(rows, RowRanks.ranks(present) ?? []) where row.rank != rank {
                try db.execute(cached: "UPDATE item SET rank = ? WHERE id = ?", arguments: [rank, row.id.rawValue])
            }
            try db.execute(cached: "UPDATE list SET ordering = 'arranged' WHERE number = ?", arguments: [list.number])
            try list.touch(db, at: dependencies.now())
            return (list.name, item, place + 1, rows.count)
        }
    }

    /// Sorts a list in the learned order now, and again after each later shopping trip. This replaces the order in
    /// which the owner arranged the list. Returns the list's name.
    package func sortAsLearned(_ name: String?) async throws(PhoneError) -> String {
        try await write { [dependencies] db in
            let list = try ListRecord.find(db, name: name)
            try db.execute(cached: "UPDATE list SET ordering = 'learned' WHERE number = ?", arguments: [list.number])
            try ListOrder(db, of: list, dependencies).sortNow(db)
            return list.name
        }
    }

    package func order(of name: String? = nil) async throws(PhoneError) -> ShopOrder {
        try await write { [dependencies] db in
            let shop = try ShopRecord.find(db, name)
            for list in try shop.lists(db).prefix(1) {
                _ = try ListOrder(db, of: list, dependencies).placement(db)
            }
            return ShopOrder(
                shop: try ShopSummary(db, shop),
                learned: try LearnedOrderTable.memory(db, of: shop)?.order ?? LearnedOrder())
        }
    }

    package func shops() async throws(PhoneError) -> [ShopSummary] {
        try await read { db in try ShopRecord.all(db).map { try ShopSummary(db, $0) } }
    }

    /// Assigns a list to the shop with this name. Creates the shop if it is missing. A new shop takes over the order
    /// that was learned from the list, unless the list was assigned to another named shop before.
    package func assign(_ list: String?, to shop: String) async throws(PhoneError) -> ShopSummary {
        let name = try CleanTitle(shop).text
        return try await write { [dependencies] db in
            let list = try ListRecord.find(db, name: list)
            let before = try ShopRecord.of(db, list)
            // Check-offs before this call teach the old shop, so it learns from them first.
            _ = try ListOrder(db, of: list, dependencies).settle(db)
            let found = try ShopRecord.named(db, name)
            if found == before { return try ShopSummary(db, before) }
            if found == nil { try db.execute(cached: "INSERT INTO shop (name) VALUES (?)", arguments: [name]) }
            let number = found?.number ?? db.lastInsertedRowID
            let newest = try Int64.fetchOne(db, cached: "SELECT max(number) FROM history") ?? 0
            let since = found == nil && before.name == nil ? 0 : newest + 1
            try db.execute(
                cached: "INSERT OR REPLACE INTO shopOfList (list, since, shop) VALUES (?, ?, ?)",
                arguments: [list.number, since, number])
            if since == 0 { try LearnedOrderTable.forget(db, before) }
            try ListOrder(db, of: list, dependencies).sortNow(db)
            return try ShopSummary(db, try ShopRecord.of(db, list))
        }
    }
}

extension ShopRecord {
    /// The shop with this name, or the shop of the list with this name. If `name` is nil, the shop of the active list.
    fileprivate static func find(_ db: Database, _ name: String?) throws -> ShopRecord {
        guard let name else { return try of(db, try ListRecord.find(db, name: nil)) }
        if let shop = try named(db, name) { return shop }
        do { return try of(db, try ListRecord.find(db, name: name)) } catch PhoneError.noSuchList {
            throw PhoneError.noSuchShop(name: name, known: try all(db).map { try ShopSummary(db, $0).name })
        }
    }
}

extension ShopSummary {
    fileprivate init(_ db: Database, _ shop: ShopRecord) throws {
        let lists = try shop.lists(db).map(\.name)
        let learned = try LearnedOrderTable.memory(db, of: shop)?.order
        self.init(
            name: shop.name ?? lists.first ?? "", kind: shop.name == nil ? .ofList : .named, lists: lists,
            trips: Int(learned?.learned ?? 0), items: learned?.count ?? 0)
    }
}
