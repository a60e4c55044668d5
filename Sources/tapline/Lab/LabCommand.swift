import ArgumentParser
import DeviceModel
import Foundation
import TapLatency
import TerminalWatch

/// `tapline lab`: replays the nineteen steps that made a slow tap fast.
struct LabCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Measure where the time of a tap goes, in nineteen steps.",
        discussion: """
            A tap on a watch had collected eight duties and took seconds. The lab takes it apart on a board made of software that \
            charges what a device would: everything off, then one duty after the other, the time of each attributed from its trace, \
            fixed, removed or made asynchronous. Times are those of the device, not of this machine, and the same options give the \
            same figures.

            Every row has the median time from the touch to the struck row on the panel. With --handler one handler is measured \
            alone: all its marks, and its stages by what they spend their time on.

            EXAMPLES
              tapline lab
              tapline lab --steps 8-10 --profile colour-spi
              tapline lab --html lab.html --json lab.json
              tapline lab --handler legacy --trace legacy.json
              tapline lab --firmware
            """)

    @Option(
        help: ArgumentHelp(
            "The device: memory-lcd, colour-spi, instant, or a TOML file such as Simulator/profile.toml.",
            valueName: "profile"))
    var profile: String = DeviceProfile.memoryLCD.name

    @Option(help: ArgumentHelp("Items on the watch, 1 to 128.", valueName: "n"))
    var items: Int = 128

    @Option(help: ArgumentHelp("Items in the phone's database.", valueName: "n"))
    var database: Int = 2_000

    @Option(help: ArgumentHelp("Taps of each measurement.", valueName: "n"))
    var taps: Int = 20

    @Option(help: ArgumentHelp("Where randomness comes from: the same seed, the same figures.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: "Measure this handler alone.")
    var handler: HandlerChoice?

    @Option(help: ArgumentHelp("Which steps to take: 8, 1-19 or 1-2,8-10.", valueName: "steps"))
    var steps: StepChoice = .all

    @Flag(help: "Run the firmware that Hardware/build makes, in QEMU, and show it beside the model.")
    var firmware = false

    @Option(help: ArgumentHelp("The firmware's image.", valueName: "file"))
    var image: String?

    @Option(help: ArgumentHelp("Write the report as JSON; - for standard output.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the report as a page that needs nothing else.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Write a tap's trace for Perfetto or chrome://tracing.", valueName: "file"))
    var trace: String?
}
