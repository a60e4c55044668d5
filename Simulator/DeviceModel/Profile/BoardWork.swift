import WatchLink

package struct TimeSpent: Sendable, Equatable {
    package var processor = Microseconds.zero
    /// The time that the processor waited while the panel's bus sent lines. If the flash chip shares the bus, this includes
    /// waits before the processor used the chip.
    package var panel = Microseconds.zero
    package var flash = Microseconds.zero
    package var haptic = Microseconds.zero
    package var idle = Microseconds.zero
    /// The part of the idle time in which packets were on air.
    package var radio = Microseconds.zero
    /// The part of the idle time in which no packet was on air, but a datagram waited for the next connection event or for
    /// credits.
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

/// The traffic of a watch's radio.
public struct RadioTraffic: Sendable, Equatable {
    /// Connection events in which the watch listened.
    public var events = 0
    /// Bytes of datagrams that the watch sent. Datagrams that never arrived count too.
    public var bytesSent = 0
    /// Bytes of datagrams that the watch received.
    public var bytesReceived = 0
    /// Packets with payload that arrived, in both directions.
    public var packets = 0
    /// Payload bytes of `packets`: datagrams, their headers, and credits.
    public var payloadOnAir = 0
    /// The total time of the connection events that carried data. An event counts from its beginning to the end of its last
    /// packet.
    public var onAir = Microseconds.zero
    /// The time in which data waited for a connection event.
    public var waiting = Microseconds.zero

    package init() {}

    /// Bytes of datagrams in both directions.
    public var bytes: Int { bytesSent + bytesReceived }
}

package struct BoardWork: Sendable, Equatable {
    /// The time charged for the board's operations and idle waits, split by cause.
    package var spent = TimeSpent()
    package var instructions = 0
    package var cycles = 0
    /// The lower and the upper bound that the processor manual sets for `cycles`. Both equal `cycles` if the cycles come from a
    /// `CountTable`.
    package var fewestCycles = 0
    package var mostCycles = 0
    /// The number of bytes of the stack that the program has ever used. Nil if no emulator executes the program.
    package var stackBytes: Int?
    package var panelLines = 0
    package var pagePrograms = 0
    package var programming = Microseconds.zero
    package var sectorErases = 0
    package var hapticPatterns = 0
    package var radio = RadioTraffic()

    package init() {}
}

/// How much shorter or longer a calculated time may be on the real processor. The processor manual gives only a range of cycles
/// for some instructions.
package struct TimeMargin: Sendable, Equatable {
    package var shorter = Microseconds.zero
    package var longer = Microseconds.zero

    package static let none = TimeMargin()

    package func since(_ earlier: TimeMargin) -> TimeMargin {
        TimeMargin(shorter: shorter - earlier.shorter, longer: longer - earlier.longer)
    }
}

extension Processor {
    package func margin(of work: BoardWork) -> TimeMargin {
        let charged = time(cycles: work.cycles)
        return TimeMargin(
            shorter: charged - time(cycles: work.fewestCycles),
            longer: time(cycles: max(work.mostCycles, work.cycles)) - charged)
    }
}
