import WatchLink

/// The database of a simulated phone as far as time goes: one transaction after the other, each with its message.
///
/// A message takes effect when its transaction ends. One whose transaction has not ended when the channel goes is dropped with
/// it: it was never acknowledged, so the watch sends it again.
struct PhoneDatabase {
    struct Transaction {
        var header: MessageHeader
        var datagram: [UInt8]
        var arrived: Instant
        var ends: Instant
    }

    private var transactions: [Transaction] = []
    /// Since when there is nothing to do, where there is not.
    private var idleSince = Instant.start

    /// When the oldest transaction ends, nil without any.
    var nextEnd: Instant? { transactions.first?.ends }

    /// The phone's app runs at `now`: a watch has connected.
    mutating func run(at now: Instant) {
        idleSince = now
    }

    /// Begins a transaction of this length as soon as those before it have ended, and as the app is awake.
    mutating func begin(
        _ header: MessageHeader, _ datagram: [UInt8], taking length: Microseconds, _ cost: PhoneCost, at now: Instant
    ) {
        let start = transactions.last.map { max(now, $0.ends) } ?? now + cost.wakeUp(after: now - idleSince)
        transactions.append(Transaction(header: header, datagram: datagram, arrived: now, ends: start + length))
    }

    /// Takes out the oldest transaction that has ended by `now`.
    mutating func ended(by now: Instant) -> Transaction? {
        guard let first = transactions.first, first.ends <= now else { return nil }
        idleSince = first.ends
        return transactions.removeFirst()
    }

    mutating func dropAll() {
        transactions = []
    }
}
