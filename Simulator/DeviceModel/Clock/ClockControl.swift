import Glibc
import HostSystem
import WatchLink

/// Speed, pause and single steps of a running watch's time, from every thread. The time is this machine's monotonic
/// clock, as `ClockMotion` bends it.
///
/// A paused watch does nothing. Inputs wait meanwhile, and so does what the phone sends, which stays in real time. A
/// single step lasts until an input or a datagram is taken, a deadline of the watch passes, a stage begins or ends, or
/// a tap reaches a mark.
public final class ClockControl: Sendable {
    private struct Contents {
        var motion: ClockMotion
        var observers: [@Sendable () -> Void] = []
    }

    private let contents: WaitableState<Contents>

    init() {
        contents = WaitableState(Contents(motion: ClockMotion(at: ClockControl.machineTime)))
    }

    /// How fast the time goes, and whether it does.
    public var state: ClockState { contents.read { $0.motion.state } }

    /// Changes the speed of the time.
    public func set(_ speed: ClockSpeed) { change { $0.set(speed, at: $1) } }

    /// Stops the time.
    public func pause() { change { $0.pause(at: $1) } }

    /// Continues at the speed that was set.
    public func resume() { change { $0.resume(at: $1) } }

    /// Resumes the time until the next event.
    public func step() { change { $0.step(at: $1) } }

    /// Limits the speed to this machine's until `release`. For the watch's own thread, as is `release`.
    func hold() { contents.change { $0.motion.hold(at: ClockControl.machineTime) } }

    func release() { contents.change { $0.motion.release(at: ClockControl.machineTime) } }

    /// Resumes the time for good: nothing can pause it again.
    func end() { change { $0.end(at: $1) } }

    /// Has `observer` called after every change, from whichever thread made it.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        contents.change { $0.observers.append(observer) }
    }

    var now: Instant { contents.read { $0.motion.time(at: ClockControl.machineTime) } }

    /// The time on the machine until the watch's is `instant`; nil while that stands still.
    func machineLength(until instant: Instant) -> Microseconds? {
        contents.read { $0.motion.machineLength(until: instant, at: ClockControl.machineTime) }
    }

    /// By how many microseconds the watch's time is ahead of the machine's.
    var ahead: Int64 { contents.read { $0.motion.ahead(at: ClockControl.machineTime) } }

    /// Names what the watch did, which ends a single step. Then waits while the watch is paused.
    func happened(_ what: @autoclosure () -> String) {
        let observers = contents.change { contents -> [@Sendable () -> Void] in
            let before = contents.motion.state
            contents.motion.happened(what(), at: ClockControl.machineTime)
            return contents.motion.state == before ? [] : contents.observers
        }
        for observer in observers { observer() }
        waitUntilItGoes()
    }

    /// Waits while the watch is paused. For the watch's own thread.
    func waitUntilItGoes() {
        contents.block { $0.motion.state.isPaused ? .wait(microseconds: nil) : .finish(()) }
    }

    private func change(_ change: (inout ClockMotion, UInt64) -> Void) {
        let observers = contents.change { contents in
            change(&contents.motion, ClockControl.machineTime)
            return contents.observers
        }
        for observer in observers { observer() }
    }

    /// CLOCK_MONOTONIC in microseconds. It does not count the time that the machine is suspended, as the watch it stands for
    /// does not run then either.
    static var machineTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}

/// How fast a watch's time goes, as a multiple of this machine's.
public struct ClockSpeed: Sendable, Equatable {
    /// The slowest and the fastest.
    public static let range = 0.1...1_000.0
    /// As fast as this machine's.
    public static let real = ClockSpeed(unchecked: 1)
    static let ladder = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

    /// The multiple.
    public let factor: Double

    /// A speed, or nil outside of `range`.
    public init?(_ factor: Double) {
        guard ClockSpeed.range.contains(factor) else { return nil }
        self.factor = factor
    }

    /// The speed in `text`, such as `0.5` or `100`; nil if it is none.
    public init?(text: String) {
        guard let factor = Double(text) else { return nil }
        self.init(factor)
    }

    private init(unchecked factor: Double) {
        self.factor = factor
    }

    /// The next faster one, or the fastest.
    public var faster: ClockSpeed {
        ClockSpeed(unchecked: ClockSpeed.ladder.first { $0 > factor } ?? ClockSpeed.range.upperBound)
    }

    /// The next slower one, or the slowest.
    public var slower: ClockSpeed {
        ClockSpeed(unchecked: ClockSpeed.ladder.last { $0 < factor } ?? ClockSpeed.range.lowerBound)
    }

    /// The multiple, without a needless fraction: `10`, `0.5`.
    public var text: String {
        factor == factor.rounded() ? String(Int(factor)) : String(factor)
    }
}
