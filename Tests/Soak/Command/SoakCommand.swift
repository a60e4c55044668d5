import ArgumentParser
import CommandSupport
import Foundation

/// The test tool `soak`: the simulation with faults.
@main
struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Simulate watches and phones with faults, and judge what they promise.",
        discussion: """
            A seed draws a plan for each scenario: what people and programs do, and what goes wrong. "watches" has watches, \
            phones and their people. "deliveries" has two ends of a wormhole, which pass messages and files by every delivery. \
            "calendars", in every second seed, has two phones that share a list on a calendar server. A plan runs on a virtual \
            clock with the real programs. An oracle that knows what was meant says whether every promise was kept. The same \
            seed gives the same story, to the byte. The exit status is 1 if a promise was broken; an error prints nothing on \
            the standard output.

            EXAMPLES
              soak --seeds 0-9999
              soak --seed 4711
              soak --plan small.plan
              soak --seeds 0-9999 --json > a.json
              soak --merge a.json b.json
            """)

    @Option(help: ArgumentHelp("The seeds to run, such as 0-9999; 0-999 without it.", valueName: "range"))
    var seeds: String?

    @Option(help: "One seed to run, and tell its story.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("A plan to run, and tell its story.", valueName: "file"))
    var plan: String?

    @Flag(help: "With --seeds and --merge: print the sum as one line of JSON.")
    var json = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Add up files that `soak --json` has written.", valueName: "file"))
    var merge: [String] = []

    @Option(help: "The number of processes that share the range; one for each core without it.")
    var processes: Int?

    @Option(help: .hidden)
    var worker: String?

    /// What there is to do.
    private enum Work {
        case range(SeedRange)
        case stories(of: [any SoakPlan])
        case sum(of: [SoakFile])
    }

    func validate() throws {
        if let processes, processes < 1 { throw ValidationError("--processes is at least 1.") }
        let given = [seeds != nil, seed != nil, plan != nil, !merge.isEmpty].count { $0 }
        if given > 1 { throw ValidationError("Use one of --seeds, --seed, --plan and --merge.") }
        if json, seed != nil || plan != nil { throw ValidationError("--json is for --seeds and --merge.") }
        if let seeds { _ = try SeedRange(seeds) }
    }

    static func main() async {
        CommandProgram.begin(SoakCommand.self)
        await CommandProgram.run(SoakCommand.self) { _, usual in usual }
    }

    func run() async throws {
        if let worker { return SoakWorker.run(try SeedRange(worker)) }
        switch try work() {
        case .stories(let stories): try tell(stories)
        case .range(let range):
            let start = ContinuousClock.now
            let cores = ProcessInfo.processInfo.activeProcessorCount
            let report = try SoakPool(processes: processes ?? cores).run(range)
            try show(report, .waited((ContinuousClock.now - start) / .seconds(1)))
        case .sum(let files):
            var report = RangeReport()
            for file in files { for part in try file.read(RangeReport.reports) { report.add(part) } }
            try show(report, .added)
        }
    }

    private func work() throws -> Work {
        if let seed { return .stories(of: Scenarios.plans(of: seed)) }
        if let plan { return .stories(of: [try SoakFile(path: plan).read(Scenarios.plan)]) }
        if !merge.isEmpty { return .sum(of: merge.map { SoakFile(path: $0) }) }
        return .range(try SeedRange(seeds ?? "0-999"))
    }

    private func show(_ report: RangeReport, _ time: RangeReport.Time) throws {
        try StandardOutput.write(json ? report.json + "\n" : report.text(time))
        if report.violations > 0 { throw ExitCode(1) }
    }

    /// Prints the stories of plans, up to the first in which a promise was broken.
    private func tell(_ stories: [any SoakPlan]) throws {
        var lines: [String] = []
        for story in stories {
            let told = story.told()
            lines += lines.isEmpty ? told.lines : [""] + told.lines
            guard told.violation == nil else {
                try StandardOutput.write(lines.map { "\($0)\n" }.joined() + told.plan)
                throw ExitCode(1)
            }
        }
        lines += ["", "Every promise was kept."]
        try StandardOutput.write(lines.map { "\($0)\n" }.joined())
    }
}
