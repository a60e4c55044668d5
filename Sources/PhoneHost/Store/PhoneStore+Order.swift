import Foundation
import GRDB
import ShoppingOrder
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
        } catch {
            guard error.mayPass else { throw error }
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

    /// Learns the orders of all stores from the history again.
    ///
    /// - Returns: the stores.
    package func rebuildOrders() async throws(PhoneError) -> [ShopSummary] {
        try await write { [dependencies] db in
            try db.execute(cached: "DELETE FROM learnedOrder")
            let stores = try ShopRecord.all(db)
            for store in stores {
                for list in try store.lists(db).prefix(1) { _ = try ListOrder(db, of: list, dependencies).settle(db) }
            }
            return try stores.map { try ShopSummary(db, $0) }
        }
    }

    /// The stores, those with names first.
    package func stores() async throws(PhoneError) -> [ShopSummary] {
        try await read { db in try ShopRecord.all(db).map { try ShopSummary(db, $0) } }
    }

    /// Assigns a list to the store of this name, from now on. A store that is not there is made: of what was learned of the list
    /// so far, where the list was assigned to none, else with nothing learned.
    ///
    /// - Parameters:
    ///   - list: its name; nil for the active one.
    ///   - teacher: whose check-offs teach the store's order; nil where that stays as it is.
    /// - Throws: `.noSuchList`, `.emptyTitle`, or what the database throws.
    package func assign(
        _ list: String?, to store: String, teacher: OrderTeacher? = nil
    ) async throws(PhoneError) -> ShopSummary {
        let name = try CleanTitle(store).text
        return try await write { [dependencies] db in
            let list = try ListRecord.find(db, name: list)
            let before = try ShopRecord.of(db, list)
            // Before its check-offs are of another store.
            _ = try ListOrder(db, of: list, dependencies).settle(db)
            let found = try ShopRecord.named(db, name)
            if found == nil { try db.execute(cached: "INSERT INTO store (name) VALUES (?)", arguments: [name]) }
            guard let store = try found ?? ShopRecord.named(db, name) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            if before != store {
                let newest = try Int64.fetchOne(db, cached: "SELECT max(number) FROM history") ?? 0
                let since = found == nil && before.name == nil ? 0 : newest + 1
                try db.execute(
                    cached: "INSERT OR REPLACE INTO storeOfList (list, since, store) VALUES (?, ?, ?)",
                    arguments: [list.number, since, store.number])
                if since == 0 { try LearnedOrderTable.forget(db, before) }
            }
            if let teacher, teacher != store.teacher {
                try db.execute(
                    cached: "UPDATE store SET teacher = ? WHERE number = ?", arguments: [teacher.stored, store.number])
                try LearnedOrderTable.forget(db, store)
            }
            let order = try ListOrder(db, of: list, dependencies)
            if before == store { _ = try order.settle(db) } else { try order.sortNow(db) }
            return try ShopSummary(db, try ShopRecord.of(db, list))
        }
    }

    /// The watch that a query means: see `forgetWatch`.
    package func watch(_ query: String) async throws(PhoneError) -> WatchRecord {
        let watches = try await watches()
        return try WatchRecord.find(query, in: watches)
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
            name: store.name ?? lists.first ?? "", kind: store.name == nil ? .ofList : .named, teacher: store.teacher,
            lists: lists, trips: Int(learned?.learned ?? 0), items: learned?.count ?? 0)
    }
}

extension PhoneError {
    /// Whether the file cannot be written now, and can be read all the same.
    fileprivate var mayPass: Bool {
        switch self {
        case .readOnly, .diskFull, .locked: true
        case .damaged, .damagedValue, .otherVersion, .cannotOpen, .cannotCreateDirectory, .storage, .noSuchList,
            .noSuchStore, .noItemInOrder, .noSuchItem, .ambiguousItem, .tooManyItems, .noSuchWatch, .ambiguousWatch,
            .emptyTitle, .noIngredients, .note, .account, .file, .alreadyServed, .sockets:
            false
        }
    }
}
