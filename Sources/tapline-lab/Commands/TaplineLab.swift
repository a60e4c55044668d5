import ArgumentParser
import CommandSupport

/// The program to which `tapline` passes the commands `lab`, `count`, `cycles` and `watch --firmware`. In its help and
/// errors, it calls itself `tapline`.
@main
struct TaplineLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapline",
        abstract: "The lab of Tapline: what a tap costs, and why.",
        discussion: """
            It measures handlers on the device of a profile, and executes their machine code. It executes whole firmware, too.

            EXAMPLES
              tapline lab
              tapline count --package ../MyWatch
              tapline cycles firmware.elf
              tapline watch --firmware firmware.elf
            """,
        version: CommandProgram.version,
        subcommands: [LabCommand.self, CountCommand.self, CyclesCommand.self, FirmwareWatchCommand.self])

    static func main() async {
        CommandProgram.begin(TaplineLab.self)
        await CommandProgram.run(TaplineLab.self) { error, usual in
            LabCompareCommand.status(of: error, usual: usual, arguments: CommandLine.arguments.dropFirst())
        }
    }
}
