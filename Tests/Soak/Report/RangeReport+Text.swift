import HostSystem

extension RangeReport {
    /// What took the time that a report names.
    package enum Time {
        /// A command that waited this number of seconds.
        case waited(Double)
        /// All the processes of ranges that were added up.
        case added
    }

    /// The report for people: the seeds, the faults of every kind, and each promise that was broken.
    package func text(_ time: Time) -> String {
        guard !seeds.ranges.isEmpty else { return "no seeds\n" }
        let (elapsed, whose): (Double, String) =
            switch time {
            case .waited(let seconds): (seconds, "")
            case .added: (seconds, " of all processes")
            }
        let rate = elapsed > 0 ? Double(seeds.count) / elapsed : 0
        let simulated = scenarios.values.reduce(0) { $0 + $1.simulated }
        var lines = [
            "seeds \(RangeReport.list(seeds.ranges)): \(seeds.count) in \(RangeReport.tenths(elapsed)) s\(whose),"
                + " \(RangeReport.tenths(rate)) a second, \(RangeReport.tenths(Double(simulated) / 3_600_000_000)) hours"
                + " of simulated time; \(CountText(violations, "violation"))"
        ]
        if !seeds.gaps.isEmpty { lines.append("MISSING: seeds \(RangeReport.list(seeds.gaps))") }
        if !seeds.repeated.isEmpty { lines.append("COUNTED TWICE: seeds \(RangeReport.list(seeds.repeated))") }
        for scenario in Scenarios.all {
            let tally = scenarios[scenario.name] ?? Tally()
            let none = Dictionary(uniqueKeysWithValues: scenario.faults.map { ($0.rawValue, 0) })
            lines.append(
                "\(scenario.name): \(CountText(tally.plans, "plan"));"
                    + RangeReport.list(none.merging(tally.faults) { $1 }))
            if !tally.results.isEmpty { lines.append("\(scenario.name) achieved:" + RangeReport.list(tally.results)) }
        }
        for promise in Promise.allCases {
            guard let count = broken[promise.rawValue] else { continue }
            let example = found.first { $0.promise == promise }
            lines.append(
                "NOT KEPT: \(promise.rawValue): \(count)"
                    + (example.map { ", such as seed \($0.seed) (\($0.what))" } ?? ""))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The most ranges that a line shows.
    private static let mostShown = 8

    private static func list(_ ranges: [SeedRange]) -> String {
        let shown = ranges.prefix(mostShown).map(\.description).joined(separator: ", ")
        return ranges.count > mostShown ? "\(shown) and \(CountText(ranges.count - mostShown, "more range"))" : shown
    }

    private static func list(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { " \($0.key) \($0.value)" }.joined(separator: ",")
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
