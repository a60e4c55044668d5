import WatchLink

/// A watch's clock, computed from this machine's time. The caller passes this machine's time to each method, in microseconds
/// since any fixed time.
struct ClockMotion {
    private struct Anchor {
        var machine: UInt64
        var watch: Instant
    }

    private let origin: UInt64
    /// Whether the clock runs no faster than this machine's clock, even if `state.speed` is higher.
    private var isHeld = false
    private var anchor: Anchor
    private(set) var state = ClockState()

    init(at machine: UInt64) {
        origin = machine
        anchor = Anchor(machine: machine, watch: .start)
    }

    func time(at machine: UInt64) -> Instant {
        guard !state.isPaused else { return anchor.watch }
        let elapsed = machine - anchor.machine
        guard factor != 1 else { return anchor.watch + Microseconds(elapsed) }
        return anchor.watch + Microseconds(UInt64(Double(elapsed) * factor))
    }

    /// Returns how long this machine's clock runs until the watch's clock reaches `instant`, rounded up to a microsecond. Nil
    /// while the watch's clock is paused.
    func machineLength(until instant: Instant, at machine: UInt64) -> Microseconds? {
        guard !state.isPaused else { return nil }
        let left = instant - time(at: machine)
        guard factor != 1 else { return left }
        // At a low speed, the length until the latest possible deadline can overflow.
        let length = (Double(left.count) / factor).rounded(.up)
        return Microseconds(length < Double(UInt64.max) ? UInt64(length) : .max)
    }

    private var factor: Double { isHeld ? min(1, state.speed.factor) : state.speed.factor }

    mutating func hold(at machine: UInt64) {
        settle(at: machine)
        isHeld = true
    }

    mutating func release(at machine: UInt64) {
        settle(at: machine)
        isHeld = false
    }

    /// Returns how many microseconds the watch's clock has gained on this machine's clock since `init`. Negative if the watch's
    /// clock has lost time.
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

    mutating func end(at machine: UInt64) {
        settle(at: machine)
        state.mode = .ended
    }

    private mutating func settle(at machine: UInt64) {
        anchor = Anchor(machine: machine, watch: time(at: machine))
    }
}

/// The speed and the mode of a watch's clock.
public struct ClockState: Sendable, Equatable {
    /// The mode of the clock: running, paused, taking a single step, or ended.
    public enum Mode: Sendable, Equatable {
        case running
        /// The clock stands still. After a single step, `after` names the event that ended the step; otherwise `after` is nil.
        case paused(after: String?)
        /// The clock runs until the next event on the watch, and then pauses. `ClockControl` lists the events.
        case stepping
        /// A caller is stopping the watch. The clock runs and can no longer be paused.
        case ended
    }

    /// The speed at which the clock runs when it is not paused.
    public internal(set) var speed = ClockSpeed.real
    /// The mode of the clock: running, paused, taking a single step, or ended.
    public internal(set) var mode = Mode.running

    package init() {}

    /// Whether the clock stands still.
    public var isPaused: Bool {
        switch mode {
        case .paused: true
        case .running, .stepping, .ended: false
        }
    }

    /// The state as text, such as `paused after a touch`, `single step` or `speed 10x`. Nil if the clock runs in real time.
    public var words: String? {
        switch mode {
        case .paused(nil): "paused"
        case .paused(let event?): "paused after \(event)"
        case .stepping: "single step"
        case .running, .ended: speed == .real ? nil : "speed \(speed.text)x"
        }
    }
}
