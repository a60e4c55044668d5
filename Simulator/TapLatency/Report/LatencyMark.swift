import Watch

/// The marks of a tap that a report gives figures for: each is the time from the touch interrupt, which the touch
/// controller raises at its next scan after the finger came down: `TouchCost.scanInterval` later at the most, longer at rest.
public enum LatencyMark: String, Sendable, CaseIterable, Codable {
    /// The handler returned.
    case handled
    /// The last dirty line of the struck row is on the panel: what the wearer waits for.
    case updated
    /// The row is gone and the rows below are in place, without the time it stays on purpose.
    case settled
    /// The record is in flash.
    case durable
    /// The radio has the message.
    case sent
    /// The phone has it in its store, as the watch computes it on the assumption that the radio link is equally fast in
    /// both directions.
    case committed
    /// The watch knows that the phone has it.
    case acknowledged

    /// The runtime's own mark.
    var mark: TapMark {
        switch self {
        case .handled: .handled
        case .updated: .updated
        case .settled: .settled
        case .durable: .durable
        case .sent: .sent
        case .committed: .committed
        case .acknowledged: .acknowledged
        }
    }
}
