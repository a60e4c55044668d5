import HostSystem
import ListFeed
import Wormhole

/// Something about a watch that its owner should know.
struct WatchNews: Hashable, Sendable {
    let watch: PeerIdentity
    let notice: Kind

    init(_ watch: PeerIdentity, _ notice: Kind) {
        self.watch = watch
        self.notice = notice
    }

    enum Kind: Hashable, Sendable {
        /// It was forgotten, because too many others have connected since.
        case forgotten
        /// Its bond has another identity now: it was reset to factory.
        case succeeded(by: PeerIdentity)
        /// A device with another bond claimed its identity, and was refused.
        case claimed
        /// It gets everything again.
        case startedOver(FeedResumption.StartOver)
        /// This number of its messages were acknowledged and are not in the database.
        case lost(UInt32)
        /// Two watches have its identity.
        case sharesIdentity
        /// It had other rows than expected, and gets the list again.
        case otherRows
    }
}

extension WatchNews.Kind {
    /// Whether it says that check-offs are lost.
    var isLoss: Bool {
        switch self {
        case .lost: true
        case .forgotten, .succeeded, .claimed, .startedOver, .sharesIdentity, .otherRows: false
        }
    }
}

extension WatchNews.Kind: CustomStringConvertible {
    /// What happened, as the end of a line that begins with the watch.
    var description: String {
        switch self {
        case .forgotten: "was away longest of \(WatchHandshake.mostLocalWatches) watches and is forgotten"
        case .succeeded(let watch): "was reset, is now \(watch), and is forgotten under its old identity"
        case .claimed: "belongs to another bonded device: a device that claimed to be this watch was refused"
        case .startedOver(let reason): "\(reason); it gets everything again"
        case .lost(let count):
            "had \(CountText(count, "message")) acknowledged and not in the database: an older copy of it was put back"
        case .sharesIdentity: "is two watches with the same identity: reset one of them"
        case .otherRows: "has other rows than expected: sending the list again"
        }
    }
}
