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
    /// The part of the idle time in which something was on its way over the radio link.
    package var radio = Microseconds.zero

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
    /// The time in which something was on its way in connection events, either way.
    public var underway = Microseconds.zero

    /// None.
    public init() {}

    /// Bytes on the radio link, either way.
    public var bytes: Int { bytesSent + bytesReceived }
}

/// What a board has done since it started.
package struct BoardWork: Sendable, Equatable {
    /// Where its time went. What the real clock does by itself is not counted.
    package var spent = TimeSpent()
    /// Instructions executed, as far as the table of instructions knows them.
    package var instructions = 0
    package var panelLines = 0
    package var pagePrograms = 0
    package var sectorErases = 0
    package var hapticPatterns = 0
    /// What the radio has carried.
    package var radio = RadioTraffic()

    package init() {}
}
