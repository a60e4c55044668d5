import WatchLink

/// The times of a simulated phone's database: transactions one after the other, each with its message.
///
/// A message takes effect when its transaction ends. If the channel goes before that, the message is dropped: it was never
/// acknowledged, so the watch sends it again.
struct PhoneDatabase {
    struct Transaction {
        var header: MessageHeader
        var datagram: [UInt8]
        var arrived: Instant
        var ends: Instant
    }

    private var transactions: [Transaction] = []
    /// The end of the last transaction, or the time of the last connection.
    private var idleSince = Instant.start

    var nextEnd: Instant? { transactions.first?.ends }

    /// Records that the phone's app runs at `now`, because a watch has connected.
    mutating func run(at now: Instant) {
        idleSince = now
    }

    /// Begins a transaction of this length once earlier ones have ended and the app is awake.
    mutating func begin(
        _ header: MessageHeader, _ datagram: [UInt8], taking length: Microseconds, _ cost: PhoneCost, at now: Instant
    ) {
        let start = transactions.last.map { max(now, $0.ends) } ?? now + cost.wakeUp(after: now - idleSince)
        transactions.append(Transaction(header: header, datagram: datagram, arrived: now, ends: start + length))
    }

    /// Removes the oldest transaction if it has ended by `now`.
    mutating func ended(by now: Instant) -> Transaction? {
        guard let first = transactions.first, first.ends <= now else { return nil }
        idleSince = first.ends
        return transactions.removeFirst()
    }

    mutating func dropAll() {
        transactions = []
    }
}
