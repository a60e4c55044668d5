import Foundation

/// What has come of a range of seeds. One is a line of JSON; several add up.
package struct RangeReport: Codable, Equatable, Sendable {
    /// A seed whose plan broke a promise.
    package struct Found: Codable, Equatable, Sendable {
        package var seed: UInt64
        package var promise: Promise
        package var what: String
    }

    /// The number of seeds.
    package var seeds = 0
    /// The lowest and the highest.
    package var first = UInt64.max
    package var last = UInt64.min
    /// Seconds that it took on a machine; of several ranges the sum.
    package var seconds = 0.0
    /// Hours on the clocks of the worlds.
    package var hours = 0.0
    /// The faults that happened, by the name of their kind.
    package var faults: [String: Int] = [:]
    /// The seeds that broke a promise, in order.
    package var violations: [Found] = []

    /// Of no seed.
    package init() {}

    /// Runs every seed of `range`, on this thread.
    package init(running range: ClosedRange<UInt64>) {
        let start = ContinuousClock.now
        for seed in range {
            let outcome = Plan(seed: seed).run()
            note(seed)
            hours += Double(outcome.length.count) / 3_600_000_000
            for (kind, count) in outcome.faults { faults[kind.rawValue, default: 0] += count }
            if let violation = outcome.violation {
                violations.append(Found(seed: seed, promise: violation.promise, what: violation.what))
            }
        }
        seconds = (ContinuousClock.now - start) / .seconds(1)
    }

    /// A seed that ended the program which ran it.
    package init(ending seed: UInt64) {
        note(seed)
        violations = [Found(seed: seed, promise: .staysUp, what: "the program ended by itself")]
    }

    private mutating func note(_ seed: UInt64) {
        seeds += 1
        first = min(first, seed)
        last = max(last, seed)
    }

    /// Adds another range's.
    package mutating func add(_ other: RangeReport) {
        seeds += other.seeds
        first = min(first, other.first)
        last = max(last, other.last)
        seconds += other.seconds
        hours += other.hours
        faults.merge(other.faults, uniquingKeysWith: +)
        violations = (violations + other.violations).sorted { $0.seed < $1.seed }
    }

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

    /// The report for people: one line for the range, and one for each promise that was broken.
    package func text(elapsed: Double) -> String {
        guard seeds > 0 else { return "no seeds\n" }
        let rate = elapsed > 0 ? Double(seeds) / elapsed : 0
        let faultText = faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let count = violations.count
        var lines = [
            "seeds \(first)-\(last): \(seeds) in \(RangeReport.tenths(elapsed)) s, \(RangeReport.tenths(rate)) a second,"
                + " \(RangeReport.tenths(hours)) hours of theirs; \(count) violation\(count == 1 ? "" : "s")",
            "faults: \(faultText.isEmpty ? "none" : faultText)",
        ]
        for promise in Promise.allCases {
            let broken = violations.filter { $0.promise == promise }
            guard let example = broken.first else { continue }
            lines.append(
                "NOT KEPT: \(promise.rawValue): \(broken.count), such as seed \(example.seed) (\(example.what))")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
