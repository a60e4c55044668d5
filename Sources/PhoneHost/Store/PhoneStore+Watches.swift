import Foundation
import GRDB
import Wormhole

extension PhoneStore {
    package func watches() async throws(PhoneError) -> [WatchRecord] {
        try await read { try WatchRecord.all($0) }
    }

    /// Deletes the messages that are queued for a watch, and the record of the rows that it has. Keeps the history, and
    /// the number of the watch's last message. If the watch connects again, the phone treats it as new.
    ///
    /// - Parameter query: the watch's name, its identity, or at least the first four digits of the identity.
    package func forgetWatch(_ query: String) async throws(PhoneError) -> WatchRecord {
        try await write { db in
            let watch = try WatchRecord.find(query, in: try WatchRecord.all(db))
            try ForgottenWatch.forget(db, PeerIdentity(rawValue: watch.identity))
            return watch
        }
    }
}

package struct WatchRecord: Equatable, Sendable {
    /// The watch's identity, which it sends when it connects; never zero.
    package var identity: UInt64
    /// The name that the watch sends; may be empty.
    package var name: String
    /// When the watch last connected or sent a message.
    package var lastMetAt: Date
    package var waiting: Int
    /// The number of times that the phone sent the whole list again, because the watch did not have the rows that the
    /// phone expected.
    package var repairs = 0
}

extension WatchRecord {
    private static let fewestDigits = 4

    fileprivate static func all(_ db: Database) throws -> [WatchRecord] {
        let rows = try StoredRow.all(
            db, of: "watch", sql: "SELECT * FROM peer JOIN watch USING (identity) ORDER BY firstMetAt, identity")
        return try rows.map { row in
            let identity: Int64 = try row["identity"]
            let (issued, acknowledged): (UInt32, UInt32) = (try row["issued"], try row["acknowledged"])
            return WatchRecord(
                identity: UInt64(bitPattern: identity), name: try row["name"], lastMetAt: try row["lastMetAt"],
                waiting: Int(issued) - Int(acknowledged), repairs: Int(try row["repairs"] as UInt32))
        }
    }

    static func find(_ query: String, in watches: [WatchRecord]) throws(PhoneError) -> WatchRecord {
        let wanted = query.lowercased()
        let exact = watches.filter { $0.digits == wanted }
        let named = watches.filter { !wanted.isEmpty && $0.name.lowercased() == wanted }
        let beginning = watches.filter { wanted.count >= fewestDigits && $0.digits.hasPrefix(wanted) }
        let found = !exact.isEmpty ? exact : !named.isEmpty ? named : beginning
        guard let first = found.first else { throw .noSuchWatch(query: query) }
        guard found.count == 1 else {
            throw .ambiguousWatch(query: query, candidates: found.map { "\($0.digits) \"\($0.name)\"" })
        }
        return first
    }

    /// The identity as commands print it: sixteen hexadecimal digits.
    private var digits: String { "\(PeerIdentity(rawValue: identity))" }
}
