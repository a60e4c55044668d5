import ArgumentParser
import CommandSupport
import Foundation

/// A command that `tapline-lab` performs.
protocol LabSubcommand: ParsableCommand {
    var arguments: [String] { get }
}

extension LabSubcommand {
    fileprivate static func performedByLab(
        _ name: String, _ abstract: String, examples: String...
    ) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract,
            discussion: """
                The program tapline-lab does this. Its options: tapline \(name) --help

                EXAMPLES
                \(examples.map { "  \($0)" }.joined(separator: "\n"))
                """)
    }

    func run() throws { throw replacingThisProcess(byLab: [Self.configuration.commandName ?? ""] + arguments) }
}

struct LabCommand: LabSubcommand {
    static let configuration = performedByLab(
        "lab", "Take a tap apart, stage by stage and step by step.", examples: "tapline lab",
        "tapline lab --html lab.html")

    @Argument(parsing: .captureForPassthrough, help: "The arguments of tapline-lab.") var arguments: [String] = []
}

struct CountCommand: LabSubcommand {
    static let configuration = performedByLab(
        "count", "Count what the handlers of a package execute.", examples: "tapline count --package ../MyWatch")

    @Argument(parsing: .captureForPassthrough, help: "The arguments of tapline-lab.") var arguments: [String] = []
}

struct CyclesCommand: LabSubcommand {
    static let configuration = performedByLab(
        "cycles", "Execute a bare program for a Cortex-M4 and count its cycles.",
        examples: "tapline cycles firmware.elf")

    @Argument(parsing: .captureForPassthrough, help: "The arguments of tapline-lab.") var arguments: [String] = []
}

/// Runs `tapline-lab`, from the directory of this program, in place of this program (execv). The lab has this process's
/// terminal and process ID, and its exit status becomes this process's. Returns only if the lab cannot be run; the result
/// says why.
func replacingThisProcess(byLab arguments: [String]) -> CommandFailure {
    let own = URL(filePath: FirmwareImage.ownExecutable ?? CommandLine.arguments[0])
    let path = own.deletingLastPathComponent().appending(path: "tapline-lab").path
    var words: [UnsafeMutablePointer<CChar>?] = (["tapline-lab"] + arguments).map { strdup($0) }
    words.append(nil)
    execv(path, words)
    guard errno == ENOENT else {
        return CommandFailure("\(path) cannot be run: \(String(cString: strerror(errno)))")
    }
    let script = own.appending(path: "../../../../Simulator/build").standardizedFileURL.path
    let build = FileManager.default.fileExists(atPath: script) ? script : "Simulator/build"
    return CommandFailure("the lab is not built: run \(build) tapline-lab")
}
