import Foundation
import Synchronization
import WatchLink

@testable import PhoneHost

/// The time and the randomness of a phone whose database is frozen.
final class FreezingWorld: Sendable {
    /// The version to write, nil where nothing is to be written.
    static var version: String? { ProcessInfo.processInfo.environment["TAPLINE_FREEZE"] }

    /// Friday, 2026-11-20 10:08:30.
    static let start = Date(timeIntervalSince1970: 1_795_169_310)

    static let groceries = [
        "Milk", "Eggs", "Rye bread", "Butter", "Apples", "Crème fraîche", "Coffee", "Salt", "Onions", "Rice", "Soap",
        "A title that is much longer than the watch has room for in one of its rows, which shows a part of it",
    ]

    /// Items that come and go, to fill the log.
    static let manyTitles = (1...100).map { "Item \($0) that is on the list for a short time, but has a long title" }

    private let generator = Mutex(SplitMix64(seed: 1))

    var dependencies: PhoneDependencies {
        PhoneDependencies(
            now: { FreezingWorld.start }, timeZone: { .gmt }, random: { self.generator.withLock { $0.next() } })
    }
}
