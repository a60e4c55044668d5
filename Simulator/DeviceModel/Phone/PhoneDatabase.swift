import WatchLink

/// Models how long a phone's database takes. Transactions run one after another. Each applies one message from a watch.
///
/// A message takes effect when its transaction ends. If the channel closes before that, the phone drops the message. The watch
/// then sends it again, because the phone has not acknowledged it.
package struct PhoneDatabase: Sendable {
    package struct Transaction: Sendable {
        package let message: [UInt8]
        package let arrived: Instant
        package let ends: Instant
    }

    private var transactions: [Transaction] = []
    /// The last time at which a transaction ended or a watch connected.
    private var idleSince = Instant.start

    package init() {}

    package var nextEnd: Instant? { transactions.first?.ends }

    /// Records that the phone's app is awake at `now`, because a watch has connected.
    package mutating func run(at now: Instant) {
        idleSince = now
    }

    /// Queues a transaction that takes `length`. It starts when earlier transactions have ended and the phone's app is awake.
    package mutating func begin(_ message: [UInt8], taking length: Microseconds, _ cost: PhoneCost, at now: Instant) {
        let start = transactions.last.map { max(now, $0.ends) } ?? now + cost.wakeUp(after: now - idleSince)
        transactions.append(Transaction(message: message, arrived: now, ends: start + length))
    }

    /// Removes and returns the oldest transaction if it has ended by `now`.
    package mutating func ended(by now: Instant) -> Transaction? {
        guard let first = transactions.first, first.ends <= now else { return nil }
        idleSince = first.ends
        return transactions.removeFirst()
    }

    package mutating func dropAll() {
        transactions = []
    }
}
