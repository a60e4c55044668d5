/// What the other process is, where many messages or many watches are measured.
enum ScalePart: String {
    case outstanding = "outstanding-queue"
    case watches
    case relay = "relay-listener"
    case checkOff = "check-off-watches"

    /// - Parameter count: how many messages, watches, relays or check-offs.
    func answerer(_ count: Int) -> any Answerer {
        switch self {
        case .outstanding: OutstandingQueue(count: count)
        case .watches: ManyWatches(count: count)
        case .relay: RelayListener(count: count)
        case .checkOff: CheckOffWatches(count: count)
        }
    }
}
