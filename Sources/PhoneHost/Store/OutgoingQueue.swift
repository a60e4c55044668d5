import GRDB
import WatchLink
import Wormhole

/// The length of a watch's queue.
struct OutgoingQueue: Equatable {
    let waiting: UInt32

    /// The queue of the watch in this row.
    init(_ watch: StoredRow) throws {
        let issued: UInt32 = try watch["issued"]
        waiting = issued - (try watch["acknowledged", 0...issued])
    }

    /// The queue of the watch with these streams.
    init(_ streams: PeerRow) { waiting = streams.waiting }

    var isFull: Bool { waiting >= FeedStore.mostWaiting }
}

/// The reload that a watch waits for. While an answer is in its queue another reload waits, and the newest replaces those
/// before it: a watch that asks and does not read has two answers at most.
enum PendingReload {
    case none
    /// It waits until the watch has acknowledged the answer before it.
    case waiting
    case due(ReloadMessage)

    /// The state of the watch in this row.
    init(_ watch: StoredRow) throws {
        guard let token: UInt32 = try watch["reloadToken"] else {
            self = .none
            return
        }
        let answer: UInt32 = try watch["reloadAnswer"]
        let acknowledged: UInt32 = try watch["acknowledged"]
        guard answer <= acknowledged else {
            self = .waiting
            return
        }
        let extent: UInt32? = try watch["reloadExtent"]
        self = .due(ReloadMessage(token: token, extent: extent.flatMap(ReloadMessage.Extent.init(rawValue:)) ?? .given))
    }

    var due: ReloadMessage? {
        switch self {
        case .none, .waiting: nil
        case .due(let reload): reload
        }
    }

    /// Notes a reload of a watch in place of one that waits.
    static func request(_ db: Database, _ reload: ReloadMessage, watch: Int64) throws {
        try db.execute(
            cached: "UPDATE watch SET reloadToken = ?, reloadExtent = ? WHERE identity = ?",
            arguments: [reload.token, reload.extent.rawValue, watch])
    }

    /// The answer ends with the newest message in the queue.
    static func answered(_ db: Database, watch: Int64) throws {
        try db.execute(
            cached: """
                UPDATE watch SET reloadToken = NULL, reloadExtent = NULL,
                    reloadAnswer = (SELECT issued FROM peer WHERE identity = :watch)
                WHERE identity = :watch
                """, arguments: ["watch": watch])
    }
}
