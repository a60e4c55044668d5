import ArgumentParser
import WatchLink

/// A length of time: `2s`, `500ms`, `3m`.
struct DurationChoice: ExpressibleByArgument, Equatable, CustomStringConvertible {
    /// The longest: a day.
    private static let longest: UInt64 = 86_400_000

    let milliseconds: UInt32

    /// Whole numbers up to a day; nil for anything else.
    init?(argument: String) {
        let units: [(String, UInt64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
        guard let (unit, size) = units.first(where: { argument.hasSuffix($0.0) }),
            let count = UInt64(argument.dropLast(unit.count)), count <= DurationChoice.longest / size
        else { return nil }
        self.init(milliseconds: UInt32(count * size))
    }

    init(milliseconds: UInt32) {
        self.milliseconds = milliseconds
    }

    var microseconds: Microseconds { .milliseconds(milliseconds) }

    var description: String {
        milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
    }
}
