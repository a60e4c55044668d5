/// How long taps took to each mark, from the touch. Nil for a mark that no tap has reached.
public struct MarkTimes: Sendable, Codable, Equatable {
    /// The handler returned.
    public var handled: Distribution?
    /// The struck row is on the panel: what the wearer waits for.
    public var updated: Distribution?
    /// The row is gone, without the time it stays on purpose.
    public var settled: Distribution?
    /// The record is in flash.
    public var durable: Distribution?
    /// The radio has the message.
    public var sent: Distribution?
    /// The phone has it in its store, as the watch computes it.
    public var committed: Distribution?
    /// The watch knows that the phone has it.
    public var acknowledged: Distribution?

    /// The times to `mark`.
    public subscript(mark: LatencyMark) -> Distribution? {
        get {
            switch mark {
            case .handled: handled
            case .updated: updated
            case .settled: settled
            case .durable: durable
            case .sent: sent
            case .committed: committed
            case .acknowledged: acknowledged
            }
        }
        set {
            switch mark {
            case .handled: handled = newValue
            case .updated: updated = newValue
            case .settled: settled = newValue
            case .durable: durable = newValue
            case .sent: sent = newValue
            case .committed: committed = newValue
            case .acknowledged: acknowledged = newValue
            }
        }
    }
}

extension TapReport {
    /// The marks that depend on the connection's tempo, and what the wearer waits for, of taps after a rest; none where nobody asked.
    package var restingMarks: [(mark: LatencyMark, times: Distribution?)] {
        guard let atRest else { return [] }
        return [.updated, .sent, .acknowledged].map { ($0, atRest[$0]) }
    }
}
