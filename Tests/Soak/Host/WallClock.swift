import Foundation
import PhoneHost
import Synchronization
import WatchLink

/// The wall clock and the random bits of a phone: they outlive its programs.
final class WallClock: Sendable {
    private struct Contents {
        var now = Instant.start
        /// Seconds by which somebody has set the clock forward.
        var shift = 0
        var random: SplitMix64
    }

    /// Friday, 2026-11-20 12:00:00 UTC when a world begins.
    static let start = 1_795_176_000

    private let contents: Mutex<Contents>

    init(seed: UInt64) {
        contents = Mutex(Contents(random: SplitMix64(seed: seed)))
    }

    func advance(to now: Instant) { contents.withLock { $0.now = now } }
    func shift(by seconds: Int) { contents.withLock { $0.shift += seconds } }

    var date: Date {
        contents.withLock {
            Date(timeIntervalSince1970: Double(WallClock.start + $0.shift) + Double($0.now.microseconds) / 1_000_000)
        }
    }

    /// What the next random numbers are made of.
    var random: SplitMix64 {
        get { contents.withLock { $0.random } }
        set { contents.withLock { $0.random = newValue } }
    }

    func next() -> UInt64 { contents.withLock { $0.random.next() } }

    var dependencies: PhoneDependencies {
        PhoneDependencies(now: { self.date }, timeZone: { .gmt }, random: { self.next() })
    }
}
