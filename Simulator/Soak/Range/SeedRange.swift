/// A range of seeds as people write it.
package struct SeedRange: Equatable, Sendable {
    /// The seeds.
    package var seeds: ClosedRange<UInt64>

    /// Reads "7" or "0-9999".
    package init(_ text: String) throws(SoakError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
        switch parts.count {
        case 1:
            guard let seed = parts[0] else { throw .notARange(text) }
            seeds = seed...seed
        case 2:
            guard let first = parts[0], let last = parts[1], first <= last else { throw .notARange(text) }
            seeds = first...last
        case _: throw .notARange(text)
        }
    }

    /// The range in parts of at most `length` seeds.
    package func parts(of length: UInt64) -> [ClosedRange<UInt64>] {
        var parts: [ClosedRange<UInt64>] = []
        var first = seeds.lowerBound
        while true {
            let last = min(seeds.upperBound, first.addingReportingOverflow(length - 1).partialValue)
            parts.append(first...max(first, last))
            guard last < seeds.upperBound, last >= first else { return parts }
            first = last + 1
        }
    }
}
