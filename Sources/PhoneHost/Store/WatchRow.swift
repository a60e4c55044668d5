import GRDB
import Wormhole

extension StoredRow {
    /// What is known of a watch and of its streams, nil if the database does not know it.
    static func watch(_ db: Database, _ identity: Int64) throws -> StoredRow? {
        try one(
            db, of: "watch", sql: "SELECT * FROM peer JOIN watch USING (identity) WHERE identity = ?",
            arguments: [identity])
    }
}
