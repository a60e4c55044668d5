import ArgumentParser
import Foundation
import Soak

/// `tapline soak`: days of watches and phones on a virtual clock, with everything going wrong that can.
struct SoakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Simulate watches and phones with faults, and judge what they promise.",
        discussion: """
            A seed draws a plan: watches, phones, what their people do, and what goes wrong. The plan runs on a virtual \
            clock, with the watch's own program and the phone's own host. An oracle that knows what the people meant \
            then says whether every promise was kept. The same seed gives the same story, to the byte.

            EXAMPLES
              tapline soak --seeds 0-9999
              tapline soak --seed 4711
              tapline soak --plan small.plan
              tapline soak --seeds 0-9999 --json > a.json
              tapline soak --merge a.json b.json
            """)

    @Option(help: "The seeds to run, such as 0-9999.")
    var seeds = "0-999"

    @Option(help: "One seed to run, and tell its story.")
    var seed: UInt64?

    @Option(help: "A file with a plan to run, and tell its story.")
    var plan: String?

    @Flag(help: "Print one line of JSON for the range.")
    var json = false

    @Option(parsing: .upToNextOption, help: "Files of such lines to add up.")
    var merge: [String] = []

    @Option(help: "The number of processes that share the range; one for each core without it.")
    var processes: Int?

    @Flag(help: .hidden)
    var worker = false

    func validate() throws {
        if let processes, processes < 1 { throw ValidationError("--processes is at least 1.") }
        _ = try SeedRange(seeds)
    }

    func run() throws {
        if worker { return SoakWorker.serve() }
        if let seed { return try tell(Plan(seed: seed)) }
        if let plan { return try tell(Plan(text: String(contentsOfFile: plan, encoding: .utf8))) }
        let start = ContinuousClock.now
        var report = RangeReport()
        if merge.isEmpty {
            report = try SoakPool(processes: processes ?? ProcessInfo.processInfo.activeProcessorCount)
                .run(SeedRange(seeds))
        } else {
            for file in merge {
                for part in try RangeReport.reports(in: String(contentsOfFile: file, encoding: .utf8)) {
                    report.add(part)
                }
            }
        }
        let elapsed = merge.isEmpty ? (ContinuousClock.now - start) / .seconds(1) : report.seconds
        print(json ? report.json + "\n" : report.text(elapsed: elapsed), terminator: "")
        if report.violations > 0 { throw ExitCode(1) }
    }

    /// Prints a plan's story; where a promise was broken, that of the smallest plan that breaks it, and the plan itself.
    private func tell(_ plan: Plan) throws {
        var plan = plan
        var outcome = plan.run(.told)
        if outcome.violation != nil {
            plan = plan.shrunk()
            outcome = plan.run(.told)
        }
        for line in outcome.story { print(line) }
        guard let violation = outcome.violation else { return }
        print("\nThe phones' logs:")
        for line in outcome.log { print("  \(line)") }
        print("\nNOT KEPT: \(violation.promise.rawValue): \(violation.what)")
        print("The plan, for `tapline soak --plan FILE`:\n\(plan.text)", terminator: "")
        throw ExitCode(1)
    }
}
