import Foundation
import GRDB
import ListFeed
import WatchLink
import Wormhole

/// Compares the checksum that a watch reports of its rows with the checksum of the rows that it should have.
struct RowsRepair {
    let reported: UInt32
    /// The number of the last message from the phone that the watch had applied when it reported.
    let applied: UInt32

    /// If the rows differ, deletes the record of what the watch has. The next transaction for watches then queues the whole
    /// list.
    func compare(_ db: Database, _ peer: PeerIdentity, at now: Date) throws -> [WatchNews] {
        guard let watch = try StoredRow.watch(db, peer.column) else { return [] }
        let repairedAt: Date? = try watch["repairedAt"]
        let agreement = RowsAgreement(
            reported: reported, projection: try FeedStore.projection(db, watch),
            isComplete: applied == (try watch["issued"] as UInt32),
            sinceRepair: repairedAt.map { now.timeIntervalSince($0) })
        switch agreement {
        case .agreed, .repairedLately: return []
        case .repair:
            try db.execute(
                cached: """
                    UPDATE watch SET given = 'nothing', repairs = min(repairs + 1, 4294967295), repairedAt = ?
                    WHERE identity = ?
                    """, arguments: [now.storedMilliseconds, peer.column])
            return [WatchNews(peer, .otherRows)]
        }
    }
}

/// Finds messages that a watch knows to be acknowledged, but that this database never applied, or has lost.
enum LostMessages {
    /// Records messages as lost if the watch knows them to be acknowledged and this database lacks them. The caller knows
    /// that the watch belongs to this phone: the watch has answered the phone's hello, and continues with its own numbers.
    static func settle(_ db: Database, _ peer: PeerIdentity) throws -> [WatchNews] {
        guard let watch = try StoredRow.watch(db, peer.column) else { return [] }
        let floor: UInt32 = try watch["floor"]
        guard floor > 0 else { return [] }
        let origin: UInt32 = try watch["floorOrigin"]
        let forgotten = try ForgottenWatch(db, watch: peer.column)
        let lost = try WatchRuns.floor(db, watch: peer.column, floor, origin: origin == 0 ? nil : origin, forgotten)
            .lost
        if origin != 0, try origin != (watch["peerEpoch"] as UInt32) {
            try WatchRuns.settle(db, watch: peer.column, upTo: floor, of: origin)
        }
        try db.execute(
            cached: "UPDATE peer SET queuedApplied = max(queuedApplied, floor), floor = 0 WHERE identity = ?",
            arguments: [peer.column])
        return lost > 0 ? [WatchNews(peer, .lost(lost))] : []
    }
}
