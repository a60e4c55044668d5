import Foundation
import GRDB
import ListFeed
import WatchLink
import Wormhole

/// The part of a transaction in which a watch acknowledges messages.
struct WatchAcknowledgement {
    let acknowledgement: Acknowledgement
    let peer: PeerIdentity
    let time: Date

    /// Removes what is acknowledged from the queue, and compares the rows that the watch reports.
    ///
    /// - Returns: what the owner should know, and whether something that has waited can be queued now.
    func apply(_ db: Database) throws -> (notices: [WatchNews], isDue: Bool) {
        guard let before = try StoredRow.watch(db, peer.stored) else { return ([], false) }
        var notices = try LostMessages.settle(db, before, peer)
        try WatchAcknowledgement.remove(db, acknowledgement, of: peer.stored)
        guard let after = try StoredRow.watch(db, peer.stored) else { return (notices, false) }
        var isDue = try OutgoingQueue(before).isFull && !OutgoingQueue(after).isFull || PendingReload(after).due != nil
        if let check = acknowledgement.rowsCheck {
            let repair = RowsRepair(reported: check, applied: acknowledgement.queued)
            let repaired = try repair.compare(db, after, peer, at: time)
            isDue = isDue || !repaired.isEmpty
            notices += repaired
        }
        return (notices, isDue)
    }

    /// Removes acknowledged messages from the queue of a watch.
    static func remove(_ db: Database, _ acknowledgement: Acknowledgement, of watch: Int64) throws {
        let rejected = acknowledgement.rejected
        for index in 0..<rejected.count {
            let name = try String.fetchOne(
                db, cached: "SELECT name FROM outgoing WHERE watch = ? AND sequence = ?",
                arguments: [watch, rejected[index].sequence])
            guard let name, FeedProjection.isLost(rejecting: name) else { continue }
            try db.execute(cached: "UPDATE watch SET given = 'nothing' WHERE identity = ?", arguments: [watch])
        }
        try db.execute(
            cached: "DELETE FROM outgoing WHERE watch = ? AND sequence <= ?",
            arguments: [watch, acknowledgement.queued])
        try QueueTable.finish(db, acknowledgement, of: PeerIdentity(stored: watch))
        try noteReplacedValues(db, acknowledgement.latest, of: watch)
        try db.execute(
            cached: """
                UPDATE watch SET queuedAcknowledged = min(queuedIssued, max(queuedAcknowledged, ?)), latestAcknowledged = ?
                WHERE identity = ?
                """, arguments: [acknowledgement.queued, acknowledgement.latest, watch])
    }

    /// Our values that a watch has applied have replaced its own.
    private static func noteReplacedValues(_ db: Database, _ latest: UInt32, of watch: Int64) throws {
        guard let row = try StoredRow.watch(db, watch) else { return }
        let before: UInt32 = try row["latestAcknowledged"]
        guard latest > before else { return }
        let names = try LatestStore.names(db, to: watch, after: before, upTo: latest)
        try PassedValueTable.replaced(db, names, at: PeerIdentity(stored: watch))
    }
}

/// The rows that a watch reports, compared with those that it should have.
struct RowsRepair {
    let reported: UInt32
    /// The last of our queued messages that the watch had applied.
    let applied: UInt32

    /// Forgets what a watch has where it has other rows, so that the next round queues the whole list.
    func compare(_ db: Database, _ watch: StoredRow, _ peer: PeerIdentity, at now: Date) throws -> [WatchNews] {
        let repairedAt: Date? = try watch["repairedAt"]
        let agreement = RowsAgreement(
            reported: reported, projection: try FeedStore.projection(db, watch),
            isComplete: applied == (try watch["queuedIssued"] as UInt32),
            sinceRepair: repairedAt.map { now.timeIntervalSince($0) })
        switch agreement {
        case .agreed, .repairedLately: return []
        case .repair:
            try db.execute(
                cached: """
                    UPDATE watch SET given = 'nothing', repairs = min(repairs + 1, 4294967295), repairedAt = ?
                    WHERE identity = ?
                    """, arguments: [now.storedMilliseconds, peer.stored])
            return [WatchNews(peer, .otherRows)]
        }
    }
}

/// The messages of a watch below the floor of its hello that this database never applied, or has lost.
enum LostMessages {
    /// The watch goes on after our hello, so it is a watch of this phone, and the messages are lost for good. A watch of
    /// another phone leaves, or numbers from 1.
    static func settle(_ db: Database, _ watch: StoredRow, _ peer: PeerIdentity) throws -> [WatchNews] {
        let floor: UInt32 = try watch["floor"]
        guard floor > 0 else { return [] }
        let origin: UInt32 = try watch["floorOrigin"]
        let forgotten = try ForgottenWatch(db, watch: peer.stored)
        let lost = try WatchRuns.floor(db, watch: peer.stored, floor, origin: origin == 0 ? nil : origin, forgotten)
            .lost
        if origin != 0, try origin != (watch["peerEpoch"] as UInt32) {
            try WatchRuns.settle(db, watch: peer.stored, upTo: floor, of: origin)
        }
        try db.execute(
            cached: "UPDATE watch SET queuedApplied = max(queuedApplied, floor), floor = 0 WHERE identity = ?",
            arguments: [peer.stored])
        return lost > 0 ? [WatchNews(peer, .lost(lost))] : []
    }
}
