import GRDB
import Wormhole

extension StoredRow {
    /// The row of a watch, nil where the database does not know it.
    static func watch(_ db: Database, _ identity: Int64) throws -> StoredRow? {
        try one(db, of: "watch", sql: "SELECT * FROM watch WHERE identity = ?", arguments: [identity])
    }
}
