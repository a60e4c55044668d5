import Foundation
import PhoneHost
import SeededNumbers
import Synchronization
import WatchLink

/// Surroundings that a test sets: the clock moves when it is told to, and a seed replays the randomness.
final class SteppedSurroundings: Sendable {
    private let time: Mutex<Date>
    private let generator: Mutex<SplitMix64>
    private let zone: TimeZone

    init(start: Date = Date(timeIntervalSince1970: 1_760_000_000), zone: TimeZone = .gmt, seed: UInt64 = 1) {
        time = Mutex(start)
        generator = Mutex(SplitMix64(seed: seed))
        self.zone = zone
    }

    var now: Date { time.withLock(\.self) }

    func advance(seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }

    var surroundings: PhoneDependencies {
        PhoneDependencies(
            now: { self.now }, timeZone: { self.zone }, random: { self.generator.withLock { $0.next() } })
    }
}
