import WatchLink

package struct TimeSpent: Sendable, Equatable {
    package var processor = Microseconds.zero
    /// Waiting for the panel's bus: for a free transfer buffer, or for the last line of a run.
    package var panel = Microseconds.zero
    package var flash = Microseconds.zero
    package var haptic = Microseconds.zero
    package var idle = Microseconds.zero
    /// The idle time in which packets were in the air.
    package var radio = Microseconds.zero
    /// The idle time in which data waited: for the next connection event, for credits, or behind earlier data.
    package var window = Microseconds.zero

    package init() {}

    package var total: Microseconds { processor + panel + flash + haptic + idle }

    package func since(_ earlier: TimeSpent) -> TimeSpent { merged(with: earlier) { $0 - $1 } }

    package static func + (one: TimeSpent, other: TimeSpent) -> TimeSpent { one.merged(with: other) { $0 + $1 } }

    private func merged(with other: TimeSpent, _ merge: (Microseconds, Microseconds) -> Microseconds) -> TimeSpent {
        var merged = TimeSpent()
        merged.processor = merge(processor, other.processor)
        merged.panel = merge(panel, other.panel)
        merged.flash = merge(flash, other.flash)
        merged.haptic = merge(haptic, other.haptic)
        merged.idle = merge(idle, other.idle)
        merged.radio = merge(radio, other.radio)
        merged.window = merge(window, other.window)
        return merged
    }
}

/// The traffic of a radio.
public struct RadioTraffic: Sendable, Equatable {
    /// Connection events that the watch was awake for.
    public var events = 0
    /// Bytes of datagrams that the watch sent, lost ones included.
    public var bytesSent = 0
    /// Bytes of datagrams that reached the watch.
    public var bytesReceived = 0
    /// Packets with payload, in both directions.
    public var packets = 0
    /// Bytes of their payloads: datagrams, their headers, and credits.
    public var payloadOnAir = 0
    /// The time of connection events from their beginning to the end of their last packet, while data was on its way.
    public var onAir = Microseconds.zero
    /// The time in which data waited for a connection event.
    public var waiting = Microseconds.zero

    package init() {}

    /// Bytes of datagrams in both directions.
    public var bytes: Int { bytesSent + bytesReceived }
}

package struct BoardWork: Sendable, Equatable {
    /// Without the time that passes on the real clock but is not charged.
    package var spent = TimeSpent()
    /// Counted during execution, or taken from a table.
    package var instructions = 0
    package var cycles = 0
    /// The fewest and the most cycles that the core's manual allows. Equal to `cycles` if these come from a table.
    package var fewestCycles = 0
    package var mostCycles = 0
    /// The most bytes of the stack in use; nil if no machine code was executed.
    package var stackBytes: Int?
    package var panelLines = 0
    package var pagePrograms = 0
    package var programming = Microseconds.zero
    package var sectorErases = 0
    package var hapticPatterns = 0
    package var radio = RadioTraffic()

    package init() {}
}

/// How much shorter or longer than charged a time may be, because the core's manual leaves some cycles open.
package struct TimeMargin: Sendable, Equatable {
    package var shorter = Microseconds.zero
    package var longer = Microseconds.zero

    package static let none = TimeMargin()

    package func since(_ earlier: TimeMargin) -> TimeMargin {
        TimeMargin(shorter: shorter - earlier.shorter, longer: longer - earlier.longer)
    }
}

extension Processor {
    /// The margin of the open cycles in `work`, which counts since the board's start.
    package func margin(of work: BoardWork) -> TimeMargin {
        let charged = time(cycles: work.cycles)
        return TimeMargin(
            shorter: charged - time(cycles: work.fewestCycles),
            longer: time(cycles: max(work.mostCycles, work.cycles)) - charged)
    }
}
