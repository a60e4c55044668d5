import Synchronization
import WatchLink

/// A clock that moves only on request, from one scheduled event to the next.
///
/// Nothing in it depends on the machine: the same calls give the same times and the same order of events, to the byte.
/// Events at one instant happen in the order in which they were scheduled.
public final class VirtualClock: Sendable {
    private struct Event {
        var time: Instant
        var action: @Sendable () -> Void
    }

    private struct Schedule {
        var now = Instant.start
        /// In the order in which they happen.
        var events: [Event] = []
    }

    private let schedule = Mutex(Schedule())

    /// A clock that stands at zero, with nothing scheduled.
    public init() {}

    /// The time. While an event happens, the event's own.
    public var now: Instant {
        schedule.withLock { $0.now }
    }

    /// When the next event happens, or nil when none is scheduled.
    public var nextEvent: Instant? {
        schedule.withLock { $0.events.first?.time }
    }

    /// Has `action` happen at `time`, or as soon as the clock moves when that has passed.
    public func schedule(at time: Instant, _ action: @escaping @Sendable () -> Void) {
        schedule.withLock { schedule in
            let place = schedule.events.firstIndex { time < $0.time } ?? schedule.events.endIndex
            schedule.events.insert(Event(time: time, action: action), at: place)
        }
    }

    /// Moves to `target`; every event due until then happens on the way, at its own time. Never moves back.
    public func advance(to target: Instant) {
        while let action = takeEvent(orMoveTo: target) { action() }
    }

    /// Moves on by `length`.
    public func advance(by length: Microseconds) {
        let target: Instant? = schedule.withLock { schedule in
            let target = schedule.now + length
            if let first = schedule.events.first, first.time <= target { return target }
            schedule.now = target
            return nil
        }
        if let target { advance(to: target) }
    }

    /// Moves to the next event and has it and all others of that instant happen, but no further than `limit`. Without an
    /// event moves to `limit`, and without either stays.
    public func advanceToNextEvent(noLaterThan limit: Instant?) {
        switch (nextEvent, limit) {
        case (let event?, let limit?): advance(to: min(event, limit))
        case (let event?, nil): advance(to: event)
        case (nil, let limit?): advance(to: limit)
        case (nil, nil): break
        }
    }

    /// Takes the first event out when it is due by `target`, with the clock set to its time; otherwise moves to `target`.
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
