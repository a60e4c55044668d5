import ArgumentParser
import CommandSupport
import DeviceModel
import Emulator
import HostSystem
import TapLatency

struct CyclesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cycles",
        abstract: "Count the cycles of a program for a Cortex-M4.",
        discussion: """
            Executes a bare program, an ELF file whose start-up code needs only memory, until it exits by semihosting or returns \
            from its first function. Prints its instructions, its cycles by the processor's Technical Reference Manual, without \
            wait states of the flash, and the functions that took them. The manual leaves some cycles open, so the fewest and \
            the most that it allows are printed too.
            If a program does not end, the figures up to its stop are printed, and the exit status is 1.

            EXAMPLES
              tapline cycles sort.elf
              tapline cycles sort.elf --from main --to finish
              tapline cycles sort.elf --from insertion_sort --flame sort.folded
            """)

    @Argument(help: ArgumentHelp("The program, an ELF file.", valueName: "elf"))
    var file: String

    @Option(
        help: ArgumentHelp(
            "Count from this function's first instruction on, until it returns; by default from the start.",
            valueName: "symbol"))
    var from: String?

    @Option(help: ArgumentHelp("Count up to this function's first instruction.", valueName: "symbol"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "The device whose clock converts cycles to time: memory-lcd, colour-spi, or a JSON5 file.",
            valueName: "profile"),
        completion: .profiles)
    var profile: String = DeviceProfile.memoryLCD.name

    @Option(
        help: ArgumentHelp(
            "Write a line for each call path with its cycles, for flame graphs; - for standard output.",
            valueName: "file"))
    var flame: String?

    @Option(help: ArgumentHelp("The most instructions, 1 to 1,000,000,000,000.", valueName: "n"))
    var limit: UInt64 = 1_000_000_000

    @OptionGroup var output: OutputOption

    func validate() throws {
        guard (1...1_000_000_000_000).contains(limit) else {
            throw ValidationError("--limit is 1 to 1000000000000.")
        }
        if output.json && flame == "-" {
            throw ValidationError("Use either --json or --flame -, not both: they write to the same place.")
        }
    }

    func run() throws {
        let device = try DeviceProfile(option: profile)
        let place = try flame.map { path throws(ReportFileError) in try ReportFile(path: path) }
        let report: CycleReport
        do {
            let image = try ELFImage(HostFile.read(file))
            report = try CycleReport(of: image, CycleReport.Section(from: from, to: to), limit: limit)
        } catch let error as DeviceModelError {
            throw CommandFailure("cannot count \(file): \(error.reason)")
        } catch let error as EmulatorError {
            throw CommandFailure("cannot count \(file): \(error)")
        }
        try place?.write(Array(report.calls.folded().joined().utf8))
        if place?.isStandardOutput != true { try show(report, clockHertz: device.processor.clockHertz) }
        if case .unfinished(let error) = report.ending {
            throw CommandFailure("cannot count \(file) to its end: \(error)")
        }
    }

    private func show(_ report: CycleReport, clockHertz: Int?) throws {
        if output.json { return try StandardOutput.printJSON(CycleFields(report, clockHertz: clockHertz)) }
        try StandardOutput.write(report.text(clockHertz: clockHertz).forStandardOutput)
        if let printed = report.printed { try StandardOutput.print("\nIts output:\n\(printed)\n") }
    }
}

extension CycleReport {
    fileprivate var printed: String? { output.isEmpty ? nil : String(decoding: output, as: UTF8.self) }

    fileprivate func microseconds(_ clockHertz: Int?) -> Double? {
        clockHertz.map { Double(calls.cycles) * 1e6 / Double($0) }
    }

    fileprivate func text(clockHertz: Int?) -> ReportText {
        func count(_ number: UInt64) -> String { Figure.count(Int(clamping: number)) }
        let bounds = "\(count(bounds.lowerBound)) to \(count(bounds.upperBound)) by the manual; no wait states"
        var figures = [
            ["instructions", Figure.count(calls.instructions), ""], ["cycles", Figure.count(calls.cycles), bounds],
        ]
        if calls.instructions > 0 {
            let ratio = Double(calls.cycles) / Double(calls.instructions)
            figures.append(["cycles an instruction", Figure.amount(ratio), ""])
        }
        if let clockHertz, let microseconds = microseconds(clockHertz) {
            figures.append(
                ["time", Figure.time(microseconds), "at \(Figure.amount(Double(clockHertz) / 1e6)) MHz"])
        }
        let shown = calls.functions.prefix(10).map { function in
            let share = Double(function.ownCycles) / Double(max(calls.cycles, 1))
            return ReportText.Row.texts([
                Figure.count(function.ownCycles), Figure.share(share), Figure.count(function.ownInstructions),
                function.name,
            ])
        }
        let others = calls.functions.count - shown.count
        return ReportText([
            [.words(endingWords), .table([.left(""), .right(""), .left("")], figures.map { .texts($0) })],
            [.table([.right("  cycles"), .right("share"), .right("instructions"), .left("function")], shown)]
                + (others > 0 ? [.words("\(CountText(others, "further function")): see --json and --flame.")] : []),
        ])
    }

    private var endingWords: String {
        switch ending {
        case .exited(let status): "The program has ended with status \(status)."
        case .returned(let result): "The program has returned \(result)."
        case .sectionEnded: "The section has ended; the program was not executed further."
        case .unfinished(let error): "The figures are incomplete: \(error)."
        }
    }
}

private struct CycleFields: Encodable {
    struct Function: Encodable {
        var name: String
        var cycles: Int
        var instructions: Int
    }

    var instructions: Int
    var cycles: Int
    var fewestCycles: UInt64
    var mostCycles: UInt64
    var microseconds: Double?
    /// How the run ended: exited, returned, sectionEnded or unfinished.
    var ending: String
    var reason: String?
    var result: UInt32?
    var functions: [Function]
    /// The first 1 MB of the program's output; nil if it printed nothing.
    var printed: String?

    init(_ report: CycleReport, clockHertz: Int?) {
        instructions = report.calls.instructions
        cycles = report.calls.cycles
        fewestCycles = report.bounds.lowerBound
        mostCycles = report.bounds.upperBound
        microseconds = report.microseconds(clockHertz)
        (ending, result, reason) =
            switch report.ending {
            case .exited(let status): ("exited", status, nil)
            case .returned(let result): ("returned", result, nil)
            case .sectionEnded: ("sectionEnded", nil, nil)
            case .unfinished(let error): ("unfinished", nil, error.description)
            }
        functions = report.calls.functions.map {
            Function(name: $0.name, cycles: $0.ownCycles, instructions: $0.ownInstructions)
        }
        printed = report.printed
    }
}
