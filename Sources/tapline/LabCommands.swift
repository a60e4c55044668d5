import ArgumentParser
import CommandSupport
import Foundation

struct LabCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Take a tap apart, stage by stage and step by step.",
        discussion: """
            The program tapline-lab does this. Its options: tapline lab --help

            EXAMPLES
              tapline lab
              tapline lab --html lab.html
            """)

    @Argument(parsing: .captureForPassthrough, help: "The arguments of tapline-lab.") var arguments: [String] = []

    func run() throws { throw try LabProgram.replaceThisProcess(["lab"] + arguments) }
}

struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Count what the handlers of a package execute.",
        discussion: """
            The program tapline-lab does this. Its options: tapline count --help

            EXAMPLES
              tapline count --package ../MyWatch
            """)

    @Argument(parsing: .captureForPassthrough, help: "The arguments of tapline-lab.") var arguments: [String] = []

    func run() throws { throw try LabProgram.replaceThisProcess(["count"] + arguments) }
}

struct CyclesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cycles",
        abstract: "Execute a bare program for a Cortex-M4 and count its cycles.",
        discussion: """
            The program tapline-lab does this. Its options: tapline cycles --help

            EXAMPLES
              tapline cycles firmware.elf
            """)

    @Argument(parsing: .captureForPassthrough, help: "The arguments of tapline-lab.") var arguments: [String] = []

    func run() throws { throw try LabProgram.replaceThisProcess(["cycles"] + arguments) }
}

/// Runs `tapline-lab`, which is in the same directory as this program.
enum LabProgram {
    /// Replaces this program, so that the lab keeps its terminal, process number and exit status.
    ///
    /// - Returns: the reason, if the lab cannot run. Otherwise this does not return.
    static func replaceThisProcess(_ arguments: [String]) throws -> CommandFailure {
        let own = URL(filePath: FirmwareImage.ownExecutable ?? CommandLine.arguments[0])
        let path = own.deletingLastPathComponent().appending(path: "tapline-lab").path
        var words: [UnsafeMutablePointer<CChar>?] = (["tapline-lab"] + arguments).map { strdup($0) }
        words.append(nil)
        execv(path, words)
        guard errno == ENOENT else {
            return CommandFailure("\(path) cannot be run: \(String(cString: strerror(errno)))")
        }
        let checkout = own.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let script = "\(checkout.path)/Simulator/build"
        let build = FileManager.default.fileExists(atPath: script) ? script : "Simulator/build"
        return CommandFailure("the lab is not built: run \(build) tapline-lab")
    }
}
