import WatchLink

/// The number of a tap, counted from the start of the board.
public struct TapNumber: Equatable, Sendable, BitwiseCopyable {
    /// The first tap after the start is 1.
    public var count: UInt32

    /// `count` is at least 1.
    public init(_ count: UInt32) {
        self.count = count
    }
}

/// The recorded points of a tap, in their usual order.
public enum TapMark: UInt8, Sendable, BitwiseCopyable {
    /// The touch controller's interrupt when the finger is lifted. All times of a tap count from here.
    case touch = 0
    case handled = 1
    /// The last changed line of the struck-through row is on the panel.
    case updated = 2
    /// The row is gone, and the rows below have moved up. The time for which the row was kept on purpose is subtracted. A row
    /// is kept at most until 250 ms after `touch`, and not at all with a slow handler.
    case settled = 3
    case durable = 4
    case sent = 5
    /// The phone has stored the message. The watch computes this time from the acknowledgement.
    case committed = 6
    case acknowledged = 7
}

/// An event in the runtime, for measurements and tests.
public enum TraceEvent: Sendable, BitwiseCopyable {
    case mark(TapMark, tap: TapNumber, at: Instant)
    /// The string is `TapStage.name`.
    case stageBegan(StaticString, tap: TapNumber, at: Instant)
    case stageEnded(StaticString, tap: TapNumber, at: Instant)
    /// `WatchRuntime.description()` has changed.
    case screenChanged(at: Instant)
    /// The panel shows what the wearer has waited for since `from`.
    case moment(WatchMoment, from: Instant, at: Instant)
    /// The watch continues, but may show older data after a restart.
    case journalFailed(JournalError, at: Instant)
}

/// Receives events in the runtime.
public protocol TraceSink: ~Copyable {
    /// Must return quickly: the wearer may be waiting.
    mutating func trace(_ event: TraceEvent)

    /// Called when the handler begins work that belongs to no tap.
    mutating func began(_ work: MessageWork)

    mutating func ended(_ work: MessageWork)
}

extension TraceSink where Self: ~Copyable {
    /// Does nothing.
    @inline(__always)
    public mutating func began(_ work: MessageWork) {}

    /// Does nothing.
    @inline(__always)
    public mutating func ended(_ work: MessageWork) {}
}

/// An error of the journal. The watch then keeps changes in memory only.
public enum JournalError: Error, Sendable, Equatable, BitwiseCopyable {
    /// `mount` has failed.
    case notMounted
    /// The half of flash in use has no room left. Nothing was written.
    case full
    /// The record is longer than 512 bytes.
    case recordTooLong
    /// The watch's whole state does not fit into one half of the journal's flash.
    case snapshotTooLarge
    /// The chip's sectors are too few or too small for two halves of at least 2 KB, or its page size is no multiple of 64 bytes.
    case unsuitableGeometry
    /// The flash chip failed. After a restart, the journal may or may not have the record that was being written.
    case flash(FlashError)
}

/// What the wearer waits for, besides taps.
public enum WatchMoment: UInt8, Sendable, BitwiseCopyable {
    /// The list is on the panel. The wait began with a touch on the face or a press of the crown.
    case launch = 0
    /// A change by the phone is on the panel. The wait began when its message arrived.
    case arrival = 1
    /// The whole screen is readable on the panel. The wait began when the wearer raised the wrist.
    case raise = 2
}
