import Synchronization
import WatchLink
import Wormhole

/// What the programs of the two ends have seen, in order.
final class DeliveryFacts: Sendable {
    /// Something that a program has seen.
    enum Fact: Sendable {
        /// A queued message was in the inbox, and was taken from it.
        case kept(inbox: UInt64, number: Int, delivery: Delivery)
        /// A latest value of the other end was heard.
        case heard(name: String, number: Int)
        case notified
        /// A question arrived.
        case questioned(Int)
        /// A question has an answer; nil for one that has no value in it.
        case replied(Int, with: Int)
        case unanswered(Int, WormholeError)
        /// A message or a file has its final fate.
        case ended(Int, MessageFate)
        case received(name: String, bytes: UInt64)
    }

    struct Entry: Sendable {
        let end: LinkEnd
        let time: Instant
        let fact: Fact
    }

    private let contents = Mutex<[Entry]>([])

    var entries: [Entry] { contents.withLock { $0 } }

    fileprivate func add(_ entry: Entry) { contents.withLock { $0.append(entry) } }
}

/// Records what one program sees, until that is gone.
final class FactRecorder: Sendable {
    private let side: LinkEnd
    private let clock: SimulationClock
    private let facts: DeliveryFacts
    private let isRunning = Mutex(true)

    init(_ end: LinkEnd, _ clock: SimulationClock, _ facts: DeliveryFacts) {
        side = end
        self.clock = clock
        self.facts = facts
    }

    func sees(_ fact: DeliveryFacts.Fact) {
        guard isRunning.withLock({ $0 }) else { return }
        facts.add(DeliveryFacts.Entry(end: side, time: clock.now, fact: fact))
    }

    func end() { isRunning.withLock { $0 = false } }
}
