import WatchLink

/// Where the time of a board went.
package struct TimeSpent: Sendable, Equatable {
    /// Executing instructions.
    package var processor = Microseconds.zero
    /// Waiting for the panel's bus: for a free transfer buffer, or for the last line of a run.
    package var panel = Microseconds.zero
    /// Waiting for the flash chip.
    package var flash = Microseconds.zero
    /// Writing to the haptic driver.
    package var haptic = Microseconds.zero
    /// Idle: waiting for the wearer, the radio or the phone.
    package var idle = Microseconds.zero
    /// The part of the idle time in which packets were in the air.
    package var radio = Microseconds.zero
    /// The part of the idle time in which something was on its way over the radio link and waited: for the next connection event,
    /// for credits, or behind what was sent before it.
    package var window = Microseconds.zero

    package init() {}

    package var total: Microseconds { processor + panel + flash + haptic + idle }

    /// What was spent since an earlier moment of the same board.
    package func since(_ earlier: TimeSpent) -> TimeSpent {
        var spent = TimeSpent()
        spent.processor = processor - earlier.processor
        spent.panel = panel - earlier.panel
        spent.flash = flash - earlier.flash
        spent.haptic = haptic - earlier.haptic
        spent.idle = idle - earlier.idle
        spent.radio = radio - earlier.radio
        spent.window = window - earlier.window
        return spent
    }
}

/// What a radio has carried.
public struct RadioTraffic: Sendable, Equatable {
    /// Connection events that the watch was awake for.
    public var events = 0
    /// Bytes of datagrams that the watch sent, lost ones included.
    public var bytesSent = 0
    /// Bytes of datagrams that reached the watch.
    public var bytesReceived = 0
    /// Packets with something in them, either way.
    public var packets = 0
    /// Bytes of their payloads: datagrams, what frames them, and credits.
    public var payloadOnAir = 0
    /// The time of connection events in which packets were in the air, from an event's beginning to the end of its last packet, while
    /// something was on its way.
    public var onAir = Microseconds.zero
    /// The time in which something was on its way and nothing in the air: it waited for a connection event.
    public var waiting = Microseconds.zero

    /// None.
    public init() {}

    /// Bytes of datagrams, either way.
    public var bytes: Int { bytesSent + bytesReceived }
}

/// What a board has done since it started.
package struct BoardWork: Sendable, Equatable {
    /// Where its time went. What the real clock does by itself is not counted.
    package var spent = TimeSpent()
    /// Instructions of the program, and the processor's cycles that they took: executed, or as far as a table knows them.
    package var instructions = 0
    package var cycles = 0
    /// The fewest and the most cycles that the manual of the core allows for the same instructions, where they were executed; a
    /// table says no more than the cycles.
    package var fewestCycles = 0
    package var mostCycles = 0
    /// The most bytes of the program's stack that were in use, where its program was executed.
    package var stackBytes: Int?
    package var panelLines = 0
    package var pagePrograms = 0
    /// The time in which the flash chip programmed.
    package var programming = Microseconds.zero
    package var sectorErases = 0
    package var hapticPatterns = 0
    /// What the radio has carried.
    package var radio = RadioTraffic()

    package init() {}
}
