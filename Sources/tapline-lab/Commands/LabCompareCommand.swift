import ArgumentParser
import DeviceModel
import TapLatency

/// `tapline lab compare`: what has changed between two reports of the lab.
struct LabCompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two reports of the lab, and fail where something has become slower.",
        discussion: """
            Reads two files that tapline lab --json has written: of the whole lab, of one --handler, or of a handler of \
            a --package. Of every handler it compares the time to each mark and the time of each stage, p50 and p99, \
            and prints the figures that have changed: old, new, and the change as a share of the old time.

            The lab's figures are exact: the same code gives the same, and every change has a cause. Both reports have \
            to be made with the same options on the same profile.

            The status is 0 where nothing is slower by more than the tolerance; 1 where something is, or where a \
            time that was measured is missing or not known any more; 2 where the reports cannot be compared, with a \
            line that says why and what to do.

            Keep the report of your main branch, and compare each change with it:

            EXAMPLES
              tapline lab --json new.json && tapline lab compare main.json new.json
              tapline lab compare main.json new.json --tolerance 0.5%
              tapline lab compare main.json new.json --json comparison.json
            """)

    @ParentCommand var lab: LabCommand

    @Argument(help: ArgumentHelp("The report to compare with.", valueName: "old"))
    var old: String

    @Argument(help: ArgumentHelp("The report to judge.", valueName: "new"))
    var new: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("By how much a time may grow, in per cent of the old one: 2%, 0.5%, 0.", valueName: "share"))
    var tolerance: String = "2%"

    /// It is here for the help; the parser gives the value to the option of the same name of `tapline lab`.
    @Option(
        help: ArgumentHelp(
            "Write the comparison as JSON, every figure in it; - for standard output.", valueName: "file"))
    var json: String?

    private var place: String? { json ?? lab.json }

    func validate() throws {
        if !lab.hasNoConditions {
            throw ValidationError("Nothing is measured here: of tapline lab's options compare takes --json alone.")
        }
        if let place, [old, new].contains(place) {
            throw ValidationError("--json would write over a report that is compared: give it another path.")
        }
    }

    func run() throws {
        let tolerance = try Tolerance(tolerance)
        let files = try LabFiles(json: place, html: nil, trace: nil, flame: nil)
        let comparison = try ReportComparison(try report(old), try report(new), within: tolerance)
        try files.write(json: comparison.json)
        try files.print(comparison.text)
        if !comparison.regressions.isEmpty { throw ExitCode(1) }
    }

    private func report(_ path: String) throws(TapLatencyError) -> ComparedReport {
        let bytes: [UInt8]
        do throws(DeviceModelError) {
            bytes = try HostFile.read(path)
        } catch {
            throw .noReport(path, why: "it cannot be read (\(error.reason)): write it with tapline lab --json")
        }
        return try ComparedReport(json: bytes, called: path)
    }
}

extension LabCompareCommand {
    /// The status of what could not be compared: 1 says that something is slower.
    private static let notCompared = ExitCode(2)

    /// The status that a command of these arguments ends with, where ArgumentParser would end it with `usual`.
    static func status(of error: any Error, usual: ExitCode, arguments: some Collection<String>) -> ExitCode {
        guard arguments.first == LabCommand.configuration.commandName,
            arguments.contains(configuration.commandName ?? ""), !usual.isSuccess, !(error is ExitCode)
        else { return usual }
        return notCompared
    }
}
