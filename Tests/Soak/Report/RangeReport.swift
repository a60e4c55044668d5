import Foundation

/// What has come of ranges of seeds. One is a line of JSON; several add up, in any order to the same sum.
package struct RangeReport: Codable, Equatable, Sendable {
    /// A seed whose plan broke a promise.
    package struct Found: Codable, Equatable, Sendable {
        package var seed: UInt64
        package var promise: Promise
        package var what: String
    }

    /// The seeds that broke a promise and are kept with what happened: the lowest ones.
    package static let mostFound = 100

    /// The seeds that ran.
    package var seeds = SeedSet()
    /// How long the processes took that ran them, in seconds, added up.
    package var seconds = 0.0
    /// What happened in the plans of each scenario, by its name.
    package var scenarios: [String: Tally] = [:]
    /// How many seeds broke each promise, by its text.
    package var broken: [String: Int] = [:]
    /// The lowest seeds that broke one, in order.
    package var found: [Found] = []

    /// Of no seed.
    package init() {}

    /// Runs every seed of `range`, on this thread.
    ///
    /// - Parameter beginning: called before each seed.
    package init(running range: ClosedRange<UInt64>, _ beginning: (UInt64) -> Void = { _ in }) {
        let start = ContinuousClock.now
        for seed in range {
            beginning(seed)
            for scenario in Scenarios.all where scenario.isInRange(seed) { run(scenario, seed) }
        }
        seeds.add(SeedRange(range))
        seconds = (ContinuousClock.now - start) / .seconds(1)
    }

    private mutating func run<S: Scenario>(_: S.Type, _ seed: UInt64) {
        let outcome = Plan<S>(seed: seed).run()
        scenarios[S.name, default: Tally()].add(outcome.tally)
        guard let violation = outcome.violation else { return }
        note([Found(seed: seed, promise: violation.promise, what: violation.what)])
        broken[violation.promise.rawValue, default: 0] += 1
    }

    /// A seed whose process did not answer.
    package init(losing seed: UInt64, because reason: String) {
        seeds.add(SeedRange(seed...seed))
        broken = [Promise.staysUp.rawValue: 1]
        found = [Found(seed: seed, promise: .staysUp, what: reason)]
    }

    /// Adds another range's.
    package mutating func add(_ other: RangeReport) {
        seeds.add(other.seeds)
        seconds += other.seconds
        for (name, tally) in other.scenarios { scenarios[name, default: Tally()].add(tally) }
        broken.merge(other.broken, uniquingKeysWith: +)
        note(other.found)
    }

    private mutating func note(_ more: [Found]) {
        guard !more.isEmpty else { return }
        found = Array((found + more).sorted { $0.seed < $1.seed }.prefix(RangeReport.mostFound))
    }

    /// How many seeds broke a promise.
    package var violations: Int { broken.values.reduce(0, +) }

    /// The report as one line of JSON.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Numbers and texts always have a JSON form.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The reports in a text, one a line.
    package static func reports(in text: String) throws(SoakError) -> [RangeReport] {
        var reports: [RangeReport] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.allSatisfy(\.isWhitespace) else { continue }
            guard let report = try? JSONDecoder().decode(RangeReport.self, from: Data(line.utf8)) else {
                throw .notAReport(line: number + 1)
            }
            reports.append(report)
        }
        return reports
    }
}
