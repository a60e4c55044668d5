import WatchLink
import Wormhole

/// The observations of the programs at both ends, in order.
final class DeliveryFacts {
    enum Fact {
        /// A program took a queued message from the inbox.
        case kept(inbox: UInt64, number: Int, delivery: Delivery)
        /// A program received a latest value.
        case heard(name: String, number: Int)
        case notified
        case questioned(Int)
        /// A question was answered, with this value if there is one.
        case replied(Int, with: Int)
        case unanswered(Int, WormholeError)
        /// The final fate of a message or a file.
        case ended(Int, MessageFate)
    }

    struct Entry {
        let end: LinkEnd
        let time: Instant
        let fact: Fact
    }

    var entries: [Entry] = []
}
