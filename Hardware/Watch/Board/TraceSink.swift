import WatchLink

/// The number of a tap since the board started.
public struct TapNumber: Equatable, Sendable, BitwiseCopyable {
    /// 1 for the first tap since the board started.
    public var count: UInt32

    /// Counts from 1.
    public init(_ count: UInt32) {
        self.count = count
    }
}

/// The milestones of a tap in their usual order.
public enum TapMark: UInt8, Sendable, BitwiseCopyable {
    /// The touch controller's interrupt for the lift. The tap acts then, and all its times count from here.
    case touch = 0
    case handled = 1
    /// The last dirty line of the struck row is on the panel.
    case updated = 2
    /// The row is gone and the rows below have moved up. The time excludes the intended delay of the struck row: up to
    /// 250 ms from the touch, none after a slow handler.
    case settled = 3
    case durable = 4
    case sent = 5
    /// The phone has stored the message, computed from the acknowledgement and the phone's time from arrival to commit.
    case committed = 6
    case acknowledged = 7
}

/// A report of the runtime about itself.
public enum TraceEvent: Sendable, BitwiseCopyable {
    case mark(TapMark, tap: TapNumber, at: Instant)
    /// A stage of a tap began; the string is `TapStage.name`.
    case stageBegan(StaticString, tap: TapNumber, at: Instant)
    case stageEnded(StaticString, tap: TapNumber, at: Instant)
    /// The panel shows a change of `WatchRuntime.description()`.
    case screenChanged(at: Instant)
    /// The panel shows what the wearer has awaited since `from`.
    case moment(WatchMoment, from: Instant, at: Instant)
    /// The journal could not store a record: the watch continues, and a restart may show older data.
    case journalFailed(JournalError, at: Instant)
}

/// Receives the reports of the runtime.
public protocol TraceSink: ~Copyable {
    /// Takes an event. It should return quickly, because the wearer may be waiting.
    mutating func trace(_ event: TraceEvent)

    /// The runtime begins work for its handler's messages. A device ignores it by default.
    mutating func began(_ work: MessageWork)

    /// The last work that began has ended.
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

/// An error of the journal. The watch then continues from memory.
public enum JournalError: Error, Sendable, Equatable, BitwiseCopyable {
    /// The journal is not mounted: `mount` has failed, or the journal was given up since.
    case notMounted
    /// The active bank has no room left. Nothing was written.
    case full
    /// The payload is longer than 512 bytes.
    case recordTooLong
    /// The state does not fit into one bank.
    case snapshotTooLarge
    /// The chip has fewer than two banks of at least 2 KB, or pages that are not a multiple of 64 bytes.
    case unsuitableGeometry
    /// The chip reported an error. The next mount may or may not find a record that was being written.
    case flash(FlashError)
}

/// What the wearer waits for besides a tap.
public enum WatchMoment: UInt8, Sendable, BitwiseCopyable {
    /// The list is on the panel, after a touch of the face or a press of the crown.
    case launch = 0
    /// A change of the list by the phone is on the panel, after the arrival of the message.
    case arrival = 1
    /// Everything readable is on the panel, after the wrist was raised.
    case raise = 2
}

enum AwaitedMoment: BitwiseCopyable {
    case none
    case awaited(WatchMoment, since: Instant)
}
