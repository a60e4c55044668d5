import CalDAV
import Foundation
import GRDB
import HostSystem
import Wormhole

package struct CalendarAccount: Equatable, Sendable {
    /// Unique ID, starting at 1, never reused; 0 for an account that is not stored yet.
    package var number: Int64
    /// The address of the server or of one collection, as the owner gave it.
    package var address: String
    package var user: String?
    /// The path of a PEM file whose certificates the phone trusts instead of the system's. Nil if the phone trusts the
    /// system's certificates.
    package var certificate: String?
    package var place: AccountPlace

    package init(
        number: Int64 = 0, address: String, user: String?, certificate: String?, place: AccountPlace
    ) {
        self.number = number
        self.address = address
        self.user = user
        self.certificate = certificate
        self.place = place
    }

    private enum Kind: String {
        case home, collection
    }

    init(row: StoredRow) throws {
        let place = try WebAddress(stored: try row["place"])
        let kind: Kind = try row[case: "kind"]
        self.init(
            number: try row["number"], address: try row["address"], user: try row["user"],
            certificate: try row["certificate"], place: kind == .home ? .home(place) : .collection(place))
    }

    func insert(_ db: Database) throws -> Int64 {
        let kind: Kind =
            switch place {
            case .home: .home
            case .collection: .collection
            }
        try db.execute(
            cached: """
                INSERT INTO calendarAccount (address, user, certificate, place, kind) VALUES (?, ?, ?, ?, ?)
                """, arguments: [address, user, certificate, place.address.text, kind.rawValue])
        return db.lastInsertedRowID
    }
}

package struct CalendarList: Equatable, Sendable {
    package enum State: String, Sendable {
        case attached
        /// The server no longer has the collection. The list and its rows stay on the phone.
        case gone
    }

    package var number: Int64
    package var name: String
    package var address: WebAddress
    package var token: String?
    package var state: State
    package var items: Int
    package var waiting: Int
    package var unsynced: [UnsyncedItem]
}

/// An item that a sync leaves out. Either the phone ignores it, or the phone and the server could not exchange it.
package struct UnsyncedItem: Equatable, Sendable {
    package enum Fate: Equatable, Sendable {
        /// The phone ignores the server's item, for example because it recurs.
        case leftAlone
        case refused
    }

    /// The item's title. If there is none, the last part of the item's path on the server.
    package var title: String
    package var fate: Fate
    package var reason: String

    /// Returns the last part of an item's path on the server, decoded for display.
    static func name(at path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return SanitizedLine(name.removingPercentEncoding ?? name).text
    }

    private enum State: String {
        case recurring, invalid, large

        var reason: String {
            switch self {
            case .recurring: "it recurs, which a list cannot show"
            case .invalid: "its text breaks the rules of RFC 5545"
            case .large: "its text is longer than \(CurlTransport.largestAnswer >> 20) MB"
            }
        }
    }

    fileprivate static func all(_ db: Database, of calendar: Int64) throws -> [UnsyncedItem] {
        let refused = try StoredRow.all(
            db, of: "calendarRefusal",
            sql: "SELECT title, reason FROM calendarRefusal WHERE calendar = ? ORDER BY title, path",
            arguments: [calendar]
        ).map { UnsyncedItem(title: try $0["title"], fate: .refused, reason: try $0["reason"]) }
        let leftAlone = try StoredRow.all(
            db, of: "calendarItem",
            sql: """
                SELECT title, state FROM calendarItem
                WHERE calendar = ? AND state IN ('recurring', 'invalid', 'large') ORDER BY title, path
                """, arguments: [calendar]
        ).map { row in
            let state: State = try row[case: "state"]
            return UnsyncedItem(title: try row["title"], fate: .leftAlone, reason: state.reason)
        }
        return refused + leftAlone
    }
}

extension PhoneStore {
    package func accounts() async throws(PhoneError) -> [CalendarAccount] {
        try await read { db in
            try StoredRow.all(
                db, of: "calendarAccount", sql: "SELECT * FROM calendarAccount ORDER BY number"
            ).map(CalendarAccount.init(row:))
        }
    }

    /// Stores an account, and returns its new number. Throws `.account(.known)` if an account with this address exists.
    package func add(_ account: CalendarAccount) async throws(PhoneError) -> Int64 {
        try await write { db in
            let isKnown = try StoredRow.one(
                db, of: "calendarAccount", sql: "SELECT 1 FROM calendarAccount WHERE address = ?",
                arguments: [account.address])
            if isKnown != nil { throw PhoneError.account(.known(address: account.address)) }
            return try account.insert(db)
        }
    }

    /// Finds the account whose number or address is `query`. Throws `.account(.unknown)` if there is none.
    package func account(_ query: String) async throws(PhoneError) -> CalendarAccount {
        let accounts = try await accounts()
        let address = (try? WebAddress(query))?.text ?? query
        guard let account = accounts.first(where: { "\($0.number)" == query || $0.address == address }) else {
            throw .account(.unknown(query: query))
        }
        return account
    }

    /// Deletes an account from the database. The phone keeps the account's lists, and the server keeps its items.
    package func removeAccount(_ number: Int64) async throws(PhoneError) {
        try await write { db in
            try db.execute(cached: "DELETE FROM calendarAccount WHERE number = ?", arguments: [number])
        }
    }

    package func calendars(of account: Int64) async throws(PhoneError) -> [CalendarList] {
        try await read { db in
            try StoredRow.all(
                db, of: "calendarList",
                sql: """
                    SELECT calendarList.*, list.name AS name,
                        (SELECT count(*) FROM calendarItem WHERE calendar = calendarList.number) AS items
                    FROM calendarList JOIN list ON list.number = calendarList.list
                    WHERE account = ? ORDER BY calendarList.number
                    """, arguments: [account]
            ).map { try CalendarList(db, row: $0) }
        }
    }
}

extension CalendarList {
    fileprivate init(_ db: Database, row: StoredRow) throws {
        let address = try WebAddress(stored: try row["address"])
        let (number, items): (Int64, UInt32) = (try row["number"], try row["items"])
        self.init(
            number: number, name: try row["name"], address: address, token: try row["token"],
            state: try row[case: "state"], items: Int(items), waiting: try CalendarQueue.count(db, of: number),
            unsynced: try UnsyncedItem.all(db, of: number))
    }
}

extension WebAddress {
    init(stored text: String) throws {
        guard let address = try? WebAddress(text) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        self = address
    }
}
