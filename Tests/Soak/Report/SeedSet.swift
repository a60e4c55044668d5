/// The seeds of several ranges.
package struct SeedSet: Codable, Equatable, Sendable {
    /// Ranges with other seeds between each of them and the next, in order.
    package private(set) var ranges: [SeedRange] = []
    /// The seeds that were added more than once, in the same form.
    package private(set) var repeated: [SeedRange] = []

    /// The number of seeds.
    package var count: UInt64 {
        ranges.reduce(0) { sum, range in
            let (count, isTooLarge) = sum.addingReportingOverflow(range.count)
            return isTooLarge ? .max : count
        }
    }

    /// The ranges between the first and the last seed that are missing.
    package var gaps: [SeedRange] {
        zip(ranges, ranges.dropFirst()).map { before, after in
            SeedRange(before.seeds.upperBound + 1...after.seeds.lowerBound - 1)
        }
    }

    /// Adds the seeds of another set.
    package mutating func add(_ other: SeedSet) {
        for range in other.ranges { add(range) }
        repeated = SeedSet.joined(repeated + other.repeated)
    }

    /// Adds a range.
    package mutating func add(_ range: SeedRange) {
        let twice = ranges.filter { $0.seeds.overlaps(range.seeds) }.map {
            SeedRange($0.seeds.clamped(to: range.seeds))
        }
        repeated = SeedSet.joined(repeated + twice)
        ranges = SeedSet.joined(ranges + [range])
    }

    /// The same seeds in as few ranges as possible, in order.
    private static func joined(_ ranges: [SeedRange]) -> [SeedRange] {
        var joined: [SeedRange] = []
        for range in ranges.sorted(by: { $0.seeds.lowerBound < $1.seeds.lowerBound }) {
            if let last = joined.last,
                last.seeds.upperBound == .max || range.seeds.lowerBound <= last.seeds.upperBound + 1
            {
                let end = max(last.seeds.upperBound, range.seeds.upperBound)
                joined[joined.count - 1] = SeedRange(last.seeds.lowerBound...end)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
