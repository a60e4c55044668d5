import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import SystemPackage

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
            """)

    @Option(help: ArgumentHelp("The seeds to run, such as 0-9999; 0-999 without it.", valueName: "range"))
    var seeds: String?

    @Option(help: "One seed to run, and tell its story.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("A plan to run, and tell its story.", valueName: "file"))
    var plan: String?

    @Option(help: "The number of processes that share the range; one for each core without it.")
    var processes: Int?

    @Option(help: .hidden)
    var worker: String?

    func validate() throws {
        if let processes, processes < 1 { throw ValidationError("--processes is at least 1.") }
        let given = [seeds != nil, seed != nil, plan != nil].count { $0 }
        if given > 1 { throw ValidationError("Use one of --seeds, --seed and --plan.") }
        if let seeds { _ = try SeedRange(seeds) }
    }

    static func main() async {
        CommandProgram.begin(SoakCommand.self)
        await CommandProgram.run(SoakCommand.self) { _, usual in usual }
    }

    func run() async throws {
        if let worker { return SoakWorker.run(try SeedRange(worker)) }
        if let seed { return try tell(Scenarios.plans(of: seed)) }
        if let plan { return try tell([try SoakCommand.plan(in: plan)]) }
        let (range, start) = (try SeedRange(seeds ?? "0-999"), ContinuousClock.now)
        let report = try SoakPool(processes: processes ?? ProcessInfo.processInfo.activeProcessorCount).run(range)
        try StandardOutput.write(report.text(of: range, after: (ContinuousClock.now - start) / .seconds(1)))
        if !report.found.isEmpty { throw ExitCode(1) }
    }

    private static func plan(in path: String) throws(SoakFileError) -> any SoakPlan {
        do {
            let bytes = try FileDescriptor.bytes(ofFile: path, atMost: 1 << 20)
            return try Scenarios.plan(text: String(decoding: bytes, as: UTF8.self))
        } catch let error as SoakError {
            throw SoakFileError(path: path, reason: error.description)
        } catch {
            throw SoakFileError(path: path, reason: "cannot be read (\(error))")
        }
    }

    private func tell(_ stories: [any SoakPlan]) throws {
        var lines: [String] = []
        for story in stories {
            let told = story.told()
            lines += lines.isEmpty ? told.lines : [""] + told.lines
            guard told.isKept else {
                try StandardOutput.write(lines.map { "\($0)\n" }.joined())
                throw ExitCode(1)
            }
        }
        lines += ["", "Every promise was kept."]
        try StandardOutput.write(lines.map { "\($0)\n" }.joined())
    }
}

private struct SoakFileError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
}
