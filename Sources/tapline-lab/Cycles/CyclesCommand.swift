import ArgumentParser
import CommandSupport
import DeviceModel
import MachineCode

/// `tapline cycles`: counts what a program for the part costs.
struct CyclesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cycles",
        abstract: "Count the cycles of a program for a Cortex-M4.",
        discussion: """
            Executes a bare program, an ELF file whose start-up code needs no other device than memory, until it ends: \
            by a semihosting exit, or by returning from its first function. Prints its instructions, its cycles after \
            the processor's Technical Reference Manual, without wait states of the flash, and the functions that they \
            went to. The manual leaves some cycles open; the fewest and the most that it allows stand beside them.

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
            "The device whose clock makes times of cycles: memory-lcd, colour-spi, or a JSON5 file.",
            valueName: "profile"),
        completion: .profiles)
    var profile: String = DeviceProfile.memoryLCD.name

    @Option(
        help: ArgumentHelp(
            "Write a line for each way through the functions with its cycles, for flame graphs; - for standard output.",
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
        let device = try ProfileChoice(named: profile).profile
        let place = try flame.map { path throws(ReportFileError) in try ReportFile(path: path) }
        let report: CycleReport
        do {
            let image = try ELFImage(HostFile.read(file))
            report = try CycleReport(of: image, ProgramRun.Section(from: from, to: to), limit: limit)
        } catch let error as DeviceModelError {
            throw CyclesFailure(file: file, reason: error.reason)
        } catch let error as MachineCodeError {
            throw CyclesFailure(file: file, reason: error.description)
        }
        try place?.write(Array(report.folded.utf8))
        if place?.isStandardOutput == true { return }
        let text = CyclesText(report, clockHertz: device.processor.clockHertz)
        if output.json {
            try StandardOutput.printJSON(text.fields)
        } else {
            try StandardOutput.print(text.table)
        }
    }
}

/// A program was not counted.
private struct CyclesFailure: Error, CustomStringConvertible {
    let file: String
    let reason: String

    var description: String { "cannot count \(file): \(reason)" }
}
