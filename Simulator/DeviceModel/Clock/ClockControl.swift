import Glibc
import HostSystem
import WatchLink

/// Controls a running watch's clock: its speed, pause and single steps. The clock follows this machine's monotonic clock,
/// multiplied by the speed. Any thread may use this class.
///
/// A paused watch does nothing. Inputs and the phone's datagrams wait; the phone's clock does not pause. A single step ends at
/// the next event of the watch:
///
/// - The watch takes an input or a datagram, or a deadline of the watch passes.
/// - A stage begins or ends, or other work of the handler begins or ends.
/// - A tap reaches a recorded point (`TapMark`), or the panel shows what the wearer has waited for (`WatchMoment`).
public final class ClockControl: Sendable {
    private struct Contents {
        var motion: ClockMotion
        var observers: [@Sendable () -> Void] = []
    }

    private let contents: WaitableState<Contents>

    init() {
        contents = WaitableState(Contents(motion: ClockMotion(at: ClockControl.machineTime)))
    }

    /// The speed of the watch's clock, and whether it is paused.
    public var state: ClockState { contents.read { $0.motion.state } }

    package func set(_ speed: ClockSpeed) { change { $0.set(speed, at: $1) } }

    package func pause() { change { $0.pause(at: $1) } }

    /// Ends a pause. The clock continues at the speed that was set.
    public func resume() { change { $0.resume(at: $1) } }

    /// Lets the clock run until the next event on the watch.
    public func step() { change { $0.step(at: $1) } }

    /// Limits the watch's clock to at most this machine's speed until `release`. The radio calls this when the watch begins to
    /// wait for the phone, which works at this machine's speed. Only the watch's thread may call `hold` and `release`.
    func hold() { contents.change { $0.motion.hold(at: ClockControl.machineTime) } }

    func release() { contents.change { $0.motion.release(at: ClockControl.machineTime) } }

    func end() { change { $0.end(at: $1) } }

    /// Calls `observer` after every change of `state`, on the thread that makes the change.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        contents.change { $0.observers.append(observer) }
    }

    var now: Instant { contents.read { $0.motion.time(at: ClockControl.machineTime) } }

    /// The time that passes on this machine's clock until the watch's clock reaches `instant`. Nil while the watch's clock is
    /// paused.
    func machineLength(until instant: Instant) -> Microseconds? {
        contents.read { $0.motion.machineLength(until: instant, at: ClockControl.machineTime) }
    }

    var ahead: Int64 { contents.read { $0.motion.ahead(at: ClockControl.machineTime) } }

    /// Reports that the event `what` has happened on the watch. This ends a single step, if one is in progress. If the clock is
    /// paused afterwards, waits until it runs again.
    func happened(_ what: @autoclosure () -> String) {
        let observers = contents.change { contents -> [@Sendable () -> Void] in
            let before = contents.motion.state
            contents.motion.happened(what(), at: ClockControl.machineTime)
            return contents.motion.state == before ? [] : contents.observers
        }
        for observer in observers { observer() }
        waitWhilePaused()
    }

    /// Blocks the watch's thread while its clock is paused. No other thread may call this.
    func waitWhilePaused() {
        contents.block { $0.motion.state.isPaused ? .wait(microseconds: nil) : .finish(()) }
    }

    private func change(_ change: (inout ClockMotion, UInt64) -> Void) {
        let observers = contents.change { contents in
            change(&contents.motion, ClockControl.machineTime)
            return contents.observers
        }
        for observer in observers { observer() }
    }

    /// CLOCK_MONOTONIC in microseconds. While this machine is suspended, CLOCK_MONOTONIC and the simulated watch both stop.
    static var machineTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}

/// The speed of a watch's clock, as a multiple of the speed of this machine's clock.
public struct ClockSpeed: Sendable, Equatable {
    /// The slowest and the fastest speed.
    public static let range = 0.1...1_000.0
    /// The speed of this machine's clock.
    public static let real = ClockSpeed(unchecked: 1)
    static let ladder = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

    package let factor: Double

    /// Creates a speed of `factor` times the speed of this machine's clock. Nil if `factor` is outside `range`.
    public init?(_ factor: Double) {
        guard ClockSpeed.range.contains(factor) else { return nil }
        self.factor = factor
    }

    /// Reads a speed such as `0.5` or `100`. Nil if the text is not a number in `range`.
    public init?(text: String) {
        guard let factor = Double(text) else { return nil }
        self.init(factor)
    }

    private init(unchecked factor: Double) {
        self.factor = factor
    }

    /// The next higher speed in the series 0.1, 0.2, 0.5, 1, 2, 5 and so on. The highest speed, 1,000, stays the same.
    public var faster: ClockSpeed {
        ClockSpeed(unchecked: ClockSpeed.ladder.first { $0 > factor } ?? ClockSpeed.range.upperBound)
    }

    /// The next lower speed in the series 0.1, 0.2, 0.5, 1, 2, 5 and so on. The lowest speed, 0.1, stays the same.
    public var slower: ClockSpeed {
        ClockSpeed(unchecked: ClockSpeed.ladder.last { $0 < factor } ?? ClockSpeed.range.lowerBound)
    }

    /// The multiple as text, without a needless fraction: `10`, `0.5`.
    public var text: String {
        factor == factor.rounded() ? String(Int(factor)) : String(factor)
    }
}
