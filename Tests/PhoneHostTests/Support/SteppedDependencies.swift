import Foundation
import Synchronization
import TestSupport
import WatchLink

@testable import PhoneHost

/// Dependencies of a phone under a test's control: the test advances the clock, and a seed fixes the random numbers.
final class SteppedDependencies: Sendable {
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

    var dependencies: PhoneDependencies {
        PhoneDependencies(
            now: { self.now }, zone: self.zone.secondsFromGMT(for:), random: { self.generator.withLock { $0.next() } })
    }
}
