import Foundation
import HostSystem

/// The results of a number of seeds. `json` is one line. Reports can be added in any order.
package struct RangeReport: Codable, Equatable, Sendable {
    package struct Found: Codable, Equatable, Sendable {
        package var seed: UInt64
        package var promise: Promise
        package var what: String
    }

    package var seeds: UInt64 = 0
    package var scenarios: [String: Tally] = [:]
    package var found: [Found] = []

    package init() {}

    package init(running range: ClosedRange<UInt64>, _ beginning: (UInt64) -> Void = { _ in }) {
        for seed in range {
            beginning(seed)
            for scenario in Scenarios.all where scenario.isInRange(seed) { run(scenario, seed) }
        }
        seeds = SeedRange(range).count
    }

    private mutating func run<S: Scenario>(_: S.Type, _ seed: UInt64) {
        let outcome = Plan<S>(seed: seed).run()
        scenarios[S.name, default: Tally()].add(outcome.tally)
        guard let violation = outcome.violation else { return }
        found.append(Found(seed: seed, promise: violation.promise, what: violation.what))
    }

    package init(losing seed: UInt64, because reason: String) {
        seeds = 1
        found = [Found(seed: seed, promise: .staysUp, what: reason)]
    }

    package mutating func add(_ other: RangeReport) {
        seeds += other.seeds
        for (name, tally) in other.scenarios { scenarios[name, default: Tally()].add(tally) }
        found = (found + other.found).sorted { $0.seed < $1.seed }
    }

    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Numbers and texts always have a JSON form.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    package init?(json: String) {
        guard let report = try? JSONDecoder().decode(RangeReport.self, from: Data(json.utf8)) else { return nil }
        self = report
    }
}

extension RangeReport {
    package func text(of range: SeedRange, after seconds: Double) -> String {
        let rate = seconds > 0 ? Double(seeds) / seconds : 0
        var lines = [
            "seeds \(range): \(seeds) in \(RangeReport.tenths(seconds)) s, \(RangeReport.tenths(rate)) a second;"
                + " \(CountText(found.count, "violation"))"
        ]
        for scenario in Scenarios.all {
            let tally = scenarios[scenario.name] ?? Tally()
            let none = Dictionary(uniqueKeysWithValues: scenario.faults.map { ($0.rawValue, 0) })
            lines.append(
                "\(scenario.name): \(CountText(tally.plans, "plan"));"
                    + RangeReport.list(none.merging(tally.faults) { $1 }))
            if !tally.results.isEmpty { lines.append("\(scenario.name) achieved:" + RangeReport.list(tally.results)) }
        }
        for promise in Promise.allCases {
            let broken = found.filter { $0.promise == promise }
            guard let first = broken.first else { continue }
            lines.append(
                "NOT KEPT: \(promise.rawValue): \(broken.count), such as seed \(first.seed) (\(first.what))")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func list(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { " \($0.key) \($0.value)" }.joined(separator: ",")
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
