import HostSystem

extension RangeReport {
    /// What took the time that a report names.
    package enum Time {
        /// A command that somebody has waited for, this number of seconds.
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
        var lines = [
            "seeds \(RangeReport.list(seeds.ranges)): \(seeds.count) in \(RangeReport.tenths(elapsed)) s\(whose),"
                + " \(RangeReport.tenths(rate)) a second, \(RangeReport.tenths(Double(simulated) / 3_600_000_000)) hours"
                + " on the watches' clock; \(CountText(violations, "violation"))"
        ]
        if !seeds.gaps.isEmpty { lines.append("MISSING: seeds \(RangeReport.list(seeds.gaps))") }
        if !seeds.repeated.isEmpty { lines.append("COUNTED TWICE: seeds \(RangeReport.list(seeds.repeated))") }
        let known =
            FaultKind.allCases.map(\.rawValue) + DeliveryFault.allCases.map(\.rawValue)
            + SharingFault.allCases.map(\.rawValue)
        let kinds = Set(known).union(faults.keys).sorted()
        lines.append("faults: " + kinds.map { "\($0) \(faults[$0] ?? 0)" }.joined(separator: ", "))
        if let delivered {
            let kinds = delivered.sorted { $0.key < $1.key }
            lines.append("delivered: " + kinds.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        }
        if let synced {
            let kinds = synced.sorted { $0.key < $1.key }
            lines.append("synced: " + kinds.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
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

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
