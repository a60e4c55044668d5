import ArgumentParser
import DeviceModel
import HostSystem
import TapLatency

struct LabCompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two reports of the lab, and fail if something has become slower.",
        discussion: """
            Reads two files that tapline lab --json has written: of the whole lab, of one --handler, or of a handler of a \
            --package. For every handler it compares the time to each mark and the time of each stage, p50 and p99, and prints \
            the changed figures: old, new, and the change as a share of the old time.

            The lab's figures are exact: the same code gives the same figures, and every change has a cause. Make both reports \
            with the same options on the same profile.

            The exit status is 0 if nothing is slower by more than the tolerance; 1 if something is, or if a measured time is \
            now missing or unknown; 2 if the reports cannot be compared, with a line that says why and what to do.

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
        help: ArgumentHelp("The most that a time may grow, in per cent of the old: 2%, 0.5%, 0.", valueName: "share"))
    var tolerance: String = "2%"

    /// Declared so that the help of `compare` lists the option. The parser stores the value of `--json` in the parent command,
    /// `lab`.
    @Option(
        help: ArgumentHelp(
            "Write the comparison with every figure as JSON; - for standard output.", valueName: "file"))
    var json: String?

    private var place: String? { json ?? lab.json }

    func validate() throws {
        if !lab.hasNoConditions {
            throw ValidationError("compare measures nothing: of the options of tapline lab it takes only --json.")
        }
        if let place, [old, new].contains(place) {
            throw ValidationError("--json would write over a report that is compared: give it another path.")
        }
    }

    func run() throws {
        let tolerance = try Tolerance(tolerance)
        let files = try LabFiles(json: place)
        let comparison = try ReportComparison(try report(old), try report(new), within: tolerance)
        try files.write(comparison.text, json: comparison.json)
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
    /// The exit status if the reports cannot be compared. Status 1 means that a time is slower or lost.
    private static let notCompared = ExitCode(2)

    /// Returns the exit status for an error of `tapline-lab`: `notCompared` if `lab compare` failed, otherwise `usual`, which
    /// ArgumentParser has chosen. An `ExitCode` that a command throws keeps its status.
    static func status(of error: any Error, usual: ExitCode, arguments: some Collection<String>) -> ExitCode {
        guard arguments.first == LabCommand.configuration.commandName,
            arguments.contains(configuration.commandName ?? ""), !usual.isSuccess, !(error is ExitCode)
        else { return usual }
        return notCompared
    }
}

extension ReportComparison {
    var text: ReportText {
        let measured = new.handlers.first
        let conditions = measured.map {
            if $0.firmware != nil { return "\($0.profile), taps: \($0.taps)" }
            return "\($0.profile), "
                + ReportText.conditions(items: $0.items, database: $0.database, taps: $0.taps, seed: $0.seed)
        }
        return ReportText([
            [.words("\(old.name) -> \(new.name): \(conditions ?? "")")]
                + (measured.map { [.words($0.processor.words, .faint)] } ?? []),
            changed.isEmpty ? [] : [table],
            [.line(kept)] + incomplete + [.line(finding, .bold)],
        ])
    }

    private var table: ReportText.Block {
        var rows: [ReportText.Row] = []
        var handler: String?
        for figure in changed {
            if figure.handler != handler { rows.append(.heading(figure.handler, .plain)) }
            handler = figure.handler
            let times = figure.times
            rows.append(
                .cells([
                    .init("  \(figure.subject.words)"), .init(figure.percentile.rawValue), .init(times.old),
                    .init(times.new), .init(figure.change.map(Figure.difference) ?? ""),
                    .init(figure.verdict.rawValue, figure.verdict.paint),
                ]))
        }
        return .table([.left(""), .left(""), .right("old"), .right("new"), .right("change"), .left("")], rows)
    }

    private var all: String { CountText(figures.count, "figure").description }

    private var kept: String {
        let same = figures.count - changed.count
        let kept = count(.kept)
        var text = "\(Figure.count(kept)) of \(all) \(kept == 1 ? "is" : "are") kept"
        if kept > same { text += ", \(same) to the microsecond" }
        for verdict in [ComparedFigure.Verdict.faster, .new] where count(verdict) > 0 {
            text += ", \(count(verdict)) \(count(verdict) == 1 ? "is" : "are") \(verdict.rawValue)"
        }
        return text
    }

    private var incomplete: [ReportText.Block] {
        let count = figures.count { $0.completeness == .notCounted }
        if count == 0 { return [] }
        return [
            .line("\(CountText(count, "figure")) without the instructions of stages that were not counted", .faint)
        ]
    }

    /// A sentence for a pull request. It counts the slower figures and the lost figures, and gives an example of each kind.
    /// Every regression that is not `.slower` counts as lost.
    private var finding: String {
        let lost = regressions.filter { $0.verdict != .slower }
        let slower = regressions.filter { $0.verdict == .slower }
        func count(_ figures: [ComparedFigure]) -> String {
            "\(figures.count) of \(all) \(figures.count == 1 ? "is" : "are")"
        }
        var parts: [String] = []
        if let worst = slower.first {
            let share = worst.change.map { $0.isFinite ? " (\(Figure.difference($0)))" : "" } ?? ""
            parts.append(
                "\(count(slower)) slower by more than \(tolerance.words): \(worst.title) \(worst.times.old) -> "
                    + "\(worst.times.new)\(share)")
        }
        if let first = lost.first {
            let more = lost.count == 1 ? "" : ", and \(lost.count - 1) more"
            let words = first.verdict == .fewerTaps ? "reached by fewer taps" : first.verdict.rawValue
            parts.append("\(count(lost)) lost: \(first.title) is \(words)\(more)")
        }
        if !parts.isEmpty { return parts.joined(separator: "; ") }
        return "0 of \(all) are slower by more than \(tolerance.words)"
    }
}

extension ComparedFigure {
    fileprivate var title: String { "\(subject.words) \(percentile.rawValue) of \(handler)" }

    /// Both times as text, in a suitable unit, or in whole microseconds if different times would otherwise look the same.
    fileprivate var times: (old: String, new: String) {
        func whole(_ time: UInt64) -> String { "\(Figure.count(Int(clamping: time))) µs" }
        if let oldTime, let newTime, oldTime != newTime, Figure.time(oldTime) == Figure.time(newTime) {
            return (whole(oldTime), whole(newTime))
        }
        return (oldTime.map { Figure.time($0) } ?? old.words, newTime.map { Figure.time($0) } ?? new.words)
    }
}

extension ComparedFigure.Subject {
    /// The name for the report. A stage is called `stage NAME`, because a mark (`LatencyMark`) may have the same name.
    fileprivate var words: String {
        switch self {
        case .mark: name
        case .stage: "stage \(name)"
        }
    }
}

extension ComparedFigure.Reading {
    fileprivate var words: String {
        switch self {
        case .incomplete: "not known"
        case .time, .missing, .notMeasured: Figure.none
        }
    }
}

extension ComparedFigure.Verdict {
    fileprivate var paint: ReportText.Paint {
        switch self {
        case .kept: .plain
        case .faster: .good
        case .new: .open
        case .slower, .fewerTaps, .notKnown, .gone: .bad
        }
    }
}
