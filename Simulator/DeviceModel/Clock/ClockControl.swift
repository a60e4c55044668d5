import Glibc
import HostSystem
import WatchLink

/// Speed, pause and single steps of a running watch's time, for every thread. The time is this machine's monotonic clock, as
/// `ClockMotion` scales it.
///
/// A paused watch does nothing. Inputs wait meanwhile, and so do datagrams of the phone, which stays in real time. A single step
/// lasts until the watch takes an input or a datagram, a deadline of the watch passes, a stage begins or ends, or a tap reaches a
/// mark.
public final class ClockControl: Sendable {
    private struct Contents {
        var motion: ClockMotion
        var observers: [@Sendable () -> Void] = []
    }

    private let contents: WaitableState<Contents>

    init() {
        contents = WaitableState(Contents(motion: ClockMotion(at: ClockControl.machineTime)))
    }

    /// The speed of the time, and whether it is paused.
    public var state: ClockState { contents.read { $0.motion.state } }

    package func set(_ speed: ClockSpeed) { change { $0.set(speed, at: $1) } }

    package func pause() { change { $0.pause(at: $1) } }

    /// Continues at the speed that was set.
    public func resume() { change { $0.resume(at: $1) } }

    /// Resumes the time until the next event.
    public func step() { change { $0.step(at: $1) } }

    /// Limits the speed to this machine's until `release`. Only the watch's thread calls the two.
    func hold() { contents.change { $0.motion.hold(at: ClockControl.machineTime) } }

    func release() { contents.change { $0.motion.release(at: ClockControl.machineTime) } }

    /// Resumes the time. Nothing can pause it again.
    func end() { change { $0.end(at: $1) } }

    /// Calls `observer` after every change, on the thread that made the change.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        contents.change { $0.observers.append(observer) }
    }

    var now: Instant { contents.read { $0.motion.time(at: ClockControl.machineTime) } }

    /// The machine's time until the watch's time is `instant`; nil while the watch's time stands still.
    func machineLength(until instant: Instant) -> Microseconds? {
        contents.read { $0.motion.machineLength(until: instant, at: ClockControl.machineTime) }
    }

    /// By how many microseconds the watch's time is ahead of the machine's.
    var ahead: Int64 { contents.read { $0.motion.ahead(at: ClockControl.machineTime) } }

    /// Reports what the watch did, which ends a single step. Then waits while the watch is paused.
    func happened(_ what: @autoclosure () -> String) {
        let observers = contents.change { contents -> [@Sendable () -> Void] in
            let before = contents.motion.state
            contents.motion.happened(what(), at: ClockControl.machineTime)
            return contents.motion.state == before ? [] : contents.observers
        }
        for observer in observers { observer() }
        waitWhilePaused()
    }

    /// Only the watch's thread calls it.
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

    /// CLOCK_MONOTONIC in microseconds. It stops while the machine is suspended, because the simulated watch does not run then
    /// either.
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

    package let factor: Double

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
