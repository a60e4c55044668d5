import WatchLink
import Wormhole

/// What the programs of the two ends have seen, in order.
final class DeliveryFacts {
    enum Fact {
        /// A queued message was in the inbox, and was taken from it.
        case kept(inbox: UInt64, number: Int, delivery: Delivery)
        /// A latest value of the other end was heard.
        case heard(name: String, number: Int)
        case notified
        case questioned(Int)
        /// A question has an answer; nil for one that has no value in it.
        case replied(Int, with: Int)
        case unanswered(Int, WormholeError)
        /// A message or a file has its final fate.
        case ended(Int, MessageFate)
    }

    struct Entry {
        let end: LinkEnd
        let time: Instant
        let fact: Fact
    }

    var entries: [Entry] = []
}
