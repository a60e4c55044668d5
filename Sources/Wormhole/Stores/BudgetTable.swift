import GRDB
import WatchLink

/// Stores the `ComplicationBudget` for each peer. Call these functions inside a transaction.
package enum BudgetTable {
    static func spend(_ db: Database, _ payment: ComplicationPayment, of peer: PeerIdentity) throws -> MessageCharge {
        var budget = try budget(db, of: peer)
        let charge = budget.spend(on: payment.day, of: payment.daily)
        try db.execute(
            cached: "INSERT OR REPLACE INTO budget (peer, day, spent) VALUES (?, ?, ?)",
            arguments: [peer.column, budget.day, budget.spent])
        return charge
    }

    package static func budget(_ db: Database, of peer: PeerIdentity) throws -> ComplicationBudget {
        let row = try StoredRow.one(
            db, of: "budget", sql: "SELECT day, spent FROM budget WHERE peer = ?", arguments: [peer.column])
        guard let row else { return ComplicationBudget() }
        return ComplicationBudget(day: try row["day"], spent: Int(try row["spent"] as Int64))
    }
}
