import HostSystem
import ListFeed
import Wormhole

/// News about a watch for its owner.
struct WatchNews: Hashable, Sendable {
    let watch: PeerIdentity
    let notice: Kind

    init(_ watch: PeerIdentity, _ notice: Kind) {
        self.watch = watch
        self.notice = notice
    }

    enum Kind: Hashable, Sendable {
        /// The phone forgot the watch, because too many others have connected since.
        case forgotten
        /// The watch's bond has another identity after a factory reset.
        case succeeded(by: PeerIdentity)
        /// A device with another bond claimed the watch's identity and was refused.
        case claimed
        /// The watch gets everything again.
        case startedOver(FeedResumption.StartOver)
        /// This number of its acknowledged messages is missing in the database.
        case lost(UInt32)
        /// Two watches have the same identity.
        case sharesIdentity
        /// The watch had other rows than expected, and gets the list again.
        case otherRows
    }
}

extension WatchNews.Kind {
    /// Whether it reports lost check-offs.
    var isLoss: Bool {
        switch self {
        case .lost: true
        case .forgotten, .succeeded, .claimed, .startedOver, .sharesIdentity, .otherRows: false
        }
    }
}

extension WatchNews.Kind: CustomStringConvertible {
    /// The end of a sentence that begins with the watch.
    var description: String {
        switch self {
        case .forgotten: "was away longest of \(WatchHandshake.mostLocalWatches) watches and is forgotten"
        case .succeeded(let watch): "was reset, is now \(watch), and is forgotten under its old identity"
        case .claimed: "belongs to another bonded device: a device that claimed to be this watch was refused"
        case .startedOver(let reason): "\(reason); it gets everything again"
        case .lost(let count):
            "had \(CountText(count, "message")) acknowledged that are not in the database: an older copy was put back"
        case .sharesIdentity: "is two watches with the same identity: reset one of them"
        case .otherRows: "has other rows than expected: sending the list again"
        }
    }
}
