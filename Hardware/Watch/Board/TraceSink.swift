import WatchLink

/// The number of a tap. The numbers begin anew when the board starts.
public struct TapNumber: Equatable, Sendable, BitwiseCopyable {
    /// 1 for the first tap after the board's start.
    public var count: UInt32

    /// Makes the number of a tap from `count`, which is at least 1.
    public init(_ count: UInt32) {
        self.count = count
    }
}

/// A point of a tap whose time is recorded. The cases are in their usual order.
public enum TapMark: UInt8, Sendable, BitwiseCopyable {
    /// The touch controller's interrupt when the finger is lifted. All times of a tap count from here.
    case touch = 0
    case handled = 1
    /// The last changed line of the struck-through row is on the panel.
    case updated = 2
    /// The panel no longer shows the row, and the rows below have moved up. The watch keeps the row on the panel on purpose, at
    /// most until 250 ms after `touch`. The mark's time excludes this wait.
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
    /// A stage begins. The string is `TapStage.name`.
    case stageBegan(StaticString, tap: TapNumber, at: Instant)
    case stageEnded(StaticString, tap: TapNumber, at: Instant)
    /// The panel has received changed lines.
    case screenChanged(at: Instant)
    /// The panel shows what the wearer has waited for since `from`.
    case moment(WatchMoment, from: Instant, at: Instant)
    /// The journal has failed. The watch continues, but may show older data after a restart.
    case journalFailed(JournalError, at: Instant)
}

/// Receives the runtime's events, for measurements and tests.
public protocol TraceSink: ~Copyable {
    /// Receives an event. Must return quickly, because the wearer may be waiting.
    mutating func trace(_ event: TraceEvent)

    /// Receives the beginning of work that belongs to no tap. The runtime calls `ended` when the work ends.
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

/// An error of the journal, the watch's log in flash. If the journal could not store a change, the change is in memory only.
public enum JournalError: Error, Sendable, Equatable, BitwiseCopyable {
    /// The journal is not in use. The watch could not mount the journal, or a later flash failure made the journal unusable.
    case notMounted
    /// The active half of the journal's flash has no room for the record. That half may still have room that is reserved for
    /// check-offs.
    case full
    /// The record is longer than 512 bytes.
    case recordTooLong
    /// The watch's whole state does not fit into one half of the journal's flash.
    case snapshotTooLarge
    /// The flash chip's layout does not suit the journal. Each half of the journal must have at least 2 KB. A page must be a
    /// multiple of 64 bytes. A sector must be a whole number of pages, and at most 1 MB. The chip must have at most 1,024
    /// sectors.
    case unsuitableGeometry
    /// The flash chip failed. After a restart, the journal may or may not have the record that was being written.
    case flash(FlashError)
}

/// What the wearer waits for, other than the effect of a tap on a row.
public enum WatchMoment: UInt8, Sendable, BitwiseCopyable {
    /// The panel shows the list. The wait began when the wearer tapped the face or pressed the crown.
    case launch = 0
    /// The panel shows a change by the phone. The wait began when the phone's message arrived.
    case arrival = 1
    /// The whole screen is readable on the panel. The wait began when the wearer raised the wrist.
    case raise = 2
}
