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
    /// Microseconds on the clocks of the worlds.
    package var simulated: UInt64 = 0
    /// The faults that happened, by the name of their kind.
    package var faults: [String: Int] = [:]
    /// What came between the two ends of wormholes, by the name of its kind; nil in a report of an earlier version.
    package var delivered: [String: Int]?
    /// What two phones and a calendar server have synced, by the name of its kind; nil in a report of an earlier version.
    package var synced: [String: Int]?
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
            let outcome = Plan(seed: seed).run()
            simulated += outcome.length.count
            for (kind, count) in outcome.faults { faults[kind.rawValue, default: 0] += count }
            note(outcome.violation, of: seed)
            let deliveries = DeliveryPlan(seed: seed).run()
            simulated += deliveries.length.count
            for (kind, count) in deliveries.faults { faults[kind.rawValue, default: 0] += count }
            delivered = (delivered ?? [:]).merging(deliveries.delivered, uniquingKeysWith: +)
            note(deliveries.violation, of: seed)
            guard let accounts = AccountPlan.inRange(seed)?.run() else { continue }
            simulated += accounts.length.count
            for (kind, count) in accounts.faults { faults[kind.rawValue, default: 0] += count }
            synced = (synced ?? [:]).merging(accounts.synced, uniquingKeysWith: +)
            note(accounts.violation, of: seed)
        }
        seeds.add(SeedRange(range))
        seconds = (ContinuousClock.now - start) / .seconds(1)
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
        simulated += other.simulated
        faults.merge(other.faults, uniquingKeysWith: +)
        if let more = other.delivered { delivered = (delivered ?? [:]).merging(more, uniquingKeysWith: +) }
        if let more = other.synced { synced = (synced ?? [:]).merging(more, uniquingKeysWith: +) }
        broken.merge(other.broken, uniquingKeysWith: +)
        note(other.found)
    }

    private mutating func note(_ violation: Violation?, of seed: UInt64) {
        guard let violation else { return }
        note([Found(seed: seed, promise: violation.promise, what: violation.what)])
        broken[violation.promise.rawValue, default: 0] += 1
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
