import CalDAV
import GRDB
import Wormhole

/// A list for which the phone is creating a collection on a calendar server. The database stores the collection's
/// address before the first request. So the next attempt finds a collection that an interrupted attempt created.
struct ListPublication: Equatable, Sendable {
    var list: Int64
    var name: String
    var account: CalendarAccount
    var address: WebAddress
    var start: CollectionMaking.Start
}

extension PhoneStore {
    /// Chooses and stores the account and address for a list's new collection. If an earlier call has stored an address
    /// on the chosen account, returns that address.
    ///
    /// - Parameter query: the number or address of an account. Nil chooses the only account that can have new lists.
    func beginPublication(of list: String, on query: String?) async throws(PhoneError) -> ListPublication {
        let chosen = if let query { try await account(query) } else { try await onlyHome() }
        guard case .home(let home) = chosen.place else { throw .account(.singleCollection(address: chosen.address)) }
        return try await write { [dependencies] db in
            let list = try ListRecord.find(db, name: list)
            if let place = try PhoneStore.place(db, of: list) {
                throw PhoneError.account(.connected(list: list.name, address: place))
            }
            let row = try StoredRow.one(
                db, of: "calendarPublication",
                sql: """
                    SELECT account, calendarPublication.address AS address, calendarAccount.address AS server
                    FROM calendarPublication JOIN calendarAccount ON number = account WHERE list = ?
                    """, arguments: [list.number])
            if let row {
                let account: Int64 = try row["account"]
                guard account == chosen.number else {
                    throw PhoneError.account(.begun(list: list.name, address: try row["server"]))
                }
                let address = try WebAddress(stored: try row["address"])
                return ListPublication(
                    list: list.number, name: list.name, account: chosen, address: address, start: .check)
            }
            let new = ListPublication(
                list: list.number, name: list.name, account: chosen,
                address: home.collection(named: list.name, random: dependencies.random()), start: .make)
            try new.store(db)
            return new
        }
    }

    /// Chooses and stores another address, because something else on the server has the previous one.
    func move(_ publication: ListPublication) async throws(PhoneError) -> ListPublication {
        var new = publication
        guard case .home(let home) = publication.account.place else { return publication }
        new.address = home.collection(named: publication.name, random: dependencies.random())
        new.start = .make
        let moved = new
        try await write { db in try moved.store(db) }
        return moved
    }

    /// Deletes the stored account and address, so the next attempt chooses them again. Call this only if the server has
    /// not created the collection.
    func forget(_ publication: ListPublication) async throws(PhoneError) {
        try await write { db in
            try db.execute(
                cached: "DELETE FROM calendarPublication WHERE list = ?", arguments: [publication.list])
        }
    }

    func collection(of publication: ListPublication) async throws(PhoneError) -> String? {
        try await read { db in
            try PhoneStore.place(db, of: ListRecord(number: publication.list, name: publication.name))
        }
    }

    private static func place(_ db: Database, of list: ListRecord) throws -> String? {
        try StoredRow.one(
            db, of: "calendarList", sql: "SELECT address FROM calendarList WHERE list = ? AND state = 'attached'",
            arguments: [list.number]
        ).map { try $0["address"] }
    }

    private func onlyHome() async throws(PhoneError) -> CalendarAccount {
        let accounts = try await accounts()
        let homes = accounts.filter { if case .home = $0.place { true } else { false } }
        guard let home = homes.first else {
            throw .account(accounts.first.map { .singleCollection(address: $0.address) } ?? .none)
        }
        guard homes.count == 1 else {
            throw .account(.several(accounts: homes.map { "\($0.number) (\($0.address))" }))
        }
        return home
    }
}

extension ListPublication {
    fileprivate func store(_ db: Database) throws {
        try db.execute(
            cached: "INSERT OR REPLACE INTO calendarPublication (list, account, address) VALUES (?, ?, ?)",
            arguments: [list, account.number, address.text])
    }
}
