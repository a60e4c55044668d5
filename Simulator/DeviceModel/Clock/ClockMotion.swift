import WatchLink

/// The time of a watch, its speed, and whether it is paused. It reads no clock: each call gets the machine's time in
/// microseconds, from any origin.
struct ClockMotion {
    private struct Anchor {
        var machine: UInt64
        var watch: Instant
    }

    private let origin: UInt64
    /// Whether the watch's time must go no faster than the machine's.
    private var isHeld = false
    private var anchor: Anchor
    private(set) var state = ClockState()

    init(at machine: UInt64) {
        origin = machine
        anchor = Anchor(machine: machine, watch: .start)
    }

    func time(at machine: UInt64) -> Instant {
        guard state.mode.isGoing else { return anchor.watch }
        let elapsed = machine - anchor.machine
        guard factor != 1 else { return anchor.watch + Microseconds(elapsed) }
        return anchor.watch + Microseconds(UInt64(Double(elapsed) * factor))
    }

    /// The machine's time until the watch's time is `instant`, rounded up; nil while the watch's time stands still.
    func machineLength(until instant: Instant, at machine: UInt64) -> Microseconds? {
        guard state.mode.isGoing else { return nil }
        let left = instant - time(at: machine)
        guard factor != 1 else { return left }
        // The length to a deadline of never can overflow at a low speed.
        let length = (Double(left.count) / factor).rounded(.up)
        return Microseconds(length < Double(UInt64.max) ? UInt64(length) : .max)
    }

    private var factor: Double { isHeld ? min(1, state.speed.factor) : state.speed.factor }

    /// Goes no faster than the machine's time until `release`, because the watch waits for something in real time.
    mutating func hold(at machine: UInt64) {
        settle(at: machine)
        isHeld = true
    }

    mutating func release(at machine: UInt64) {
        settle(at: machine)
        isHeld = false
    }

    /// Microseconds that the watch's time has gained on the machine's since the beginning.
    func ahead(at machine: UInt64) -> Int64 {
        Int64(clamping: time(at: machine).microseconds) - Int64(clamping: machine - origin)
    }

    mutating func set(_ speed: ClockSpeed, at machine: UInt64) {
        settle(at: machine)
        state.speed = speed
    }

    mutating func pause(at machine: UInt64) {
        settle(at: machine)
        switch state.mode {
        case .running, .stepping: state.mode = .paused(after: nil)
        case .paused, .ended: break
        }
    }

    mutating func resume(at machine: UInt64) {
        settle(at: machine)
        switch state.mode {
        case .paused, .stepping: state.mode = .running
        case .running, .ended: break
        }
    }

    mutating func step(at machine: UInt64) {
        settle(at: machine)
        switch state.mode {
        case .paused, .running: state.mode = .stepping
        case .stepping, .ended: break
        }
    }

    mutating func happened(_ what: @autoclosure () -> String, at machine: UInt64) {
        switch state.mode {
        case .stepping:
            settle(at: machine)
            state.mode = .paused(after: what())
        case .running, .paused, .ended: break
        }
    }

    /// Resumes the time. Nothing can pause it again, because the watch is to stop.
    mutating func end(at machine: UInt64) {
        settle(at: machine)
        state.mode = .ended
    }

    /// Makes now the point from which the time is counted.
    private mutating func settle(at machine: UInt64) {
        anchor = Anchor(machine: machine, watch: time(at: machine))
    }
}

/// The speed of a watch's time, and whether it is paused.
public struct ClockState: Sendable, Equatable {
    /// Whether the time is paused.
    public enum Mode: Sendable, Equatable {
        case running
        /// The watch does nothing. After a single step, `after` names the event that ended it.
        case paused(after: String?)
        case stepping
        /// The time goes and can no longer be paused: the watch is to end.
        case ended

        var isGoing: Bool {
            switch self {
            case .running, .stepping, .ended: true
            case .paused: false
            }
        }
    }

    /// The speed while the time is not paused.
    public internal(set) var speed = ClockSpeed.real
    /// Whether the time is paused.
    public internal(set) var mode = Mode.running

    package init() {}

    /// Whether the watch's time stands still.
    public var isPaused: Bool { !mode.isGoing }
}

extension ClockState {
    /// The state in words: paused, stepping, or the speed; nil at this machine's speed.
    public var words: String? {
        switch mode {
        case .paused(nil): "paused"
        case .paused(let event?): "paused after \(event)"
        case .stepping: "single step"
        case .running, .ended: speed == .real ? nil : "speed \(speed.text)x"
        }
    }
}
