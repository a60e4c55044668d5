import Synchronization
import WatchLink

/// A clock that moves only when a caller advances it. Each advance runs the scheduled events that are due.
///
/// It does not depend on this machine: the same calls always give the same times and the same order of events. Events with the
/// same time run in the order in which they were scheduled.
public final class VirtualClock: Sendable {
    private struct Event {
        var time: Instant
        var action: @Sendable () -> Void
    }

    private struct Schedule {
        var now = Instant.start
        /// Sorted by time.
        var events: [Event] = []
    }

    private let schedule = Mutex(Schedule())

    /// Creates a clock at time zero without events.
    public init() {}

    /// The time on the clock. While an event runs, it is the event's time.
    public var now: Instant { schedule.withLock { $0.now } }

    /// The time of the next event. Nil if none is scheduled.
    public var nextEvent: Instant? { schedule.withLock { $0.events.first?.time } }

    /// Schedules `action` for `time`. If `time` is in the past, `action` runs when the clock next advances.
    public func schedule(at time: Instant, _ action: @escaping @Sendable () -> Void) {
        schedule.withLock { schedule in
            let place = schedule.events.firstIndex { time < $0.time } ?? schedule.events.endIndex
            schedule.events.insert(Event(time: time, action: action), at: place)
        }
    }

    /// Advances to `target`, and runs each event on the way at the event's time. If `target` is in the past, the clock does not
    /// move.
    public func advance(to target: Instant) {
        while let action = takeEvent(orMoveTo: target) { action() }
    }

    /// Advances by `length`, and runs the events on the way.
    public func advance(by length: Microseconds) {
        advance(to: now + length)
    }

    /// Advances to the next event or to `limit`, whichever is earlier, and runs the events that are due. Does nothing if no
    /// event is scheduled and `limit` is nil.
    public func advanceToNextEvent(noLaterThan limit: Instant?) {
        switch (nextEvent, limit) {
        case (let event?, let limit?): advance(to: min(event, limit))
        case (let event?, nil): advance(to: event)
        case (nil, let limit?): advance(to: limit)
        case (nil, nil): break
        }
    }

    /// Advances to the next event, removes it and returns its action. If no event is due by `target`, sets the clock to
    /// `target` and returns nil.
    private func takeEvent(orMoveTo target: Instant) -> (@Sendable () -> Void)? {
        schedule.withLock { schedule in
            guard let first = schedule.events.first, first.time <= target else {
                schedule.now = max(schedule.now, target)
                return nil
            }
            schedule.events.removeFirst()
            schedule.now = max(schedule.now, first.time)
            return first.action
        }
    }
}

/// The clock that a simulated board runs on.
public enum SimulatedClock: Sendable {
    /// A clock that follows this machine's clock, at the speed that `control` sets.
    case real(HostClock)
    /// A virtual clock. Each operation of the board advances it by the time that the operation takes on the device. An idle
    /// board advances it to the next event.
    case virtual(VirtualClock)

    /// The board's time since the clock was created.
    public var now: Instant {
        switch self {
        case .real(let clock): clock.now
        case .virtual(let clock): clock.now
        }
    }

    /// Controls the speed, pauses and single steps of the real clock. Nil for a virtual clock.
    public var control: ClockControl? {
        switch self {
        case .real(let clock): clock.control
        case .virtual: nil
        }
    }
}

/// A board's clock that follows this machine's clock, at the speed that `control` sets.
///
/// Each operation of the board advances `now` by the time that the operation takes on the device. The board's thread then waits
/// until `outside` reaches `now`. On a slow machine, `now` falls behind `outside` until the board is idle. Even then, the time
/// between two events on the board is the same as on the device.
public final class HostClock: Sendable {
    /// Controls the clock's speed, pauses and single steps.
    public let control = ClockControl()
    private let board = Mutex(Instant.start)

    /// Creates a clock at time zero.
    public init() {}

    /// The board's time since the clock was created.
    public var now: Instant { board.withLock { $0 } }

    /// The time that the wearer experiences: this machine's time since the clock was created, with the speed and pauses of
    /// `control`. On a slow machine, `now` can be behind this time.
    public var outside: Instant { control.now }

    package func advance(to time: Instant) { board.withLock { $0 = max($0, time) } }
}

@inlinable package func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one else { return other }
    guard let other else { return one }
    return min(one, other)
}

extension Microseconds {
    /// Zero if `right` is longer.
    package static func - (left: Microseconds, right: Microseconds) -> Microseconds {
        Microseconds(left < right ? 0 : left.count - right.count)
    }
}
