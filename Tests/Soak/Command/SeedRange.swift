package struct SeedRange: Equatable, Sendable {
    package var seeds: ClosedRange<UInt64>

    package init(_ seeds: ClosedRange<UInt64>) {
        self.seeds = seeds
    }

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

    /// The number of seeds, but at most `UInt64.max`.
    package var count: UInt64 {
        let (count, isTooLarge) = (seeds.upperBound - seeds.lowerBound).addingReportingOverflow(1)
        return isTooLarge ? .max : count
    }
}

extension SeedRange: CustomStringConvertible {
    package var description: String {
        seeds.lowerBound == seeds.upperBound
            ? "\(seeds.lowerBound)" : "\(seeds.lowerBound)-\(seeds.upperBound)"
    }
}
