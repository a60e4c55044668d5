import GRDB
import Wormhole

extension PhoneStore {
    /// The identity that watches know the host by: drawn at random for a new database, the same ever after, never zero.
    static func identity(_ db: Database) throws -> UInt64 {
        guard let host = try StoredRow.one(db, of: "host", sql: "SELECT identity FROM host") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        let identity: Int64 = try host["identity"]
        return UInt64(bitPattern: identity)
    }
}
