import Foundation
import PhoneHost
import Synchronization
import WatchLink

/// The wall clock and the random generator of a computer. They keep their state when a program ends.
final class SimulatedWallClock: Sendable {
    private struct Contents {
        /// How far the clock was set forward, in seconds.
        var shift = 0
        var random: SplitMix64
    }

    /// The Unix time at which every plan begins: Friday, 2026-11-20 12:00:00 UTC.
    static let start = 1_795_176_000

    private let contents: Mutex<Contents>
    private let clock: SimulationClock

    init(seed: UInt64, clock: SimulationClock) {
        self.clock = clock
        contents = Mutex(Contents(random: SplitMix64(seed: seed)))
    }

    func shift(by seconds: Int) { contents.withLock { $0.shift += seconds } }

    var date: Date {
        let seconds = SimulatedWallClock.start + contents.withLock { $0.shift }
        return Date(timeIntervalSince1970: Double(seconds) + Double(clock.now.microseconds) / 1_000_000)
    }

    var day: UInt32 { UInt32(clamping: Int(date.timeIntervalSince1970) / 86_400) }

    var random: SplitMix64 {
        get { contents.withLock { $0.random } }
        set { contents.withLock { $0.random = newValue } }
    }

    func next() -> UInt64 { contents.withLock { $0.random.next() } }

    var dependencies: PhoneDependencies {
        PhoneDependencies(now: { self.date }, zone: { _ in 0 }, random: { self.next() })
    }
}
