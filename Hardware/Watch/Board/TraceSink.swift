import WatchLink

/// A tap's number, counted from 1 since the board started. 0 stands for no tap.
public struct TapNumber: Equatable, Sendable, BitwiseCopyable {
    /// The count.
    public var count: UInt32

    /// Tap number `count`.
    public init(_ count: UInt32) {
        self.count = count
    }
}

/// The marks on a tap's time line, in the order in which they usually come.
public enum TapMark: UInt8, Sendable, BitwiseCopyable {
    /// The touch interrupt.
    case touch = 0
    /// The handler returned.
    case handled = 1
    /// The last dirty line of the struck row is on the panel.
    case updated = 2
    /// The row is gone and the rows below are in place. Reported without the time for which it
    /// stays there struck on purpose: up to 250 ms from the touch, and none after a slow handler.
    case settled = 3
    /// The record is in flash.
    case durable = 4
    /// The message was handed to the radio.
    case sent = 5
    /// The phone has it in its store: worked out from the acknowledgement and the phone's own time from arrival to commit.
    case committed = 6
    /// The watch knows that the phone has it.
    case acknowledged = 7
}

/// What the runtime reports about itself as it runs.
public enum TraceEvent: Sendable, BitwiseCopyable {
    /// A tap reached a mark.
    case mark(TapMark, tap: TapNumber, at: Instant)
    /// A stage of a tap begins. The name is the stage's own.
    case stageBegan(StaticString, tap: TapNumber, at: Instant)
    /// A stage of a tap ended.
    case stageEnded(StaticString, tap: TapNumber, at: Instant)
    /// What `describe` says has changed, and the panel shows it.
    case screenChanged(at: Instant)
    /// The flash journal could not keep something: the watch goes on, and a restart may show older data.
    case journalFailed(JournalError, at: Instant)
}

/// Where the runtime reports what it does.
public protocol TraceSink: ~Copyable {
    /// Takes one event and returns quickly; the runtime is on its way to something else.
    mutating func trace(_ event: TraceEvent)
}
