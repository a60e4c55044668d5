import ArgumentParser
import DeviceModel
import Foundation
import TapLatency
import Watch

/// `tapline lab`: replays the nineteen steps that made a slow tap fast.
struct LabCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Measure where the time of a tap goes, in nineteen steps.",
        discussion: """
            A tap on a watch had collected eight duties and took seconds. The lab takes it apart on a simulated board that charges \
            what a real device would be charged: first everything is off, then one duty after the other is added, measured from \
            its trace, and fixed, removed or made asynchronous. All times are those of the device, not of this machine. The same \
            options give the same figures.

            Every row shows the median time from the touch to the struck row on the panel. With --handler a single handler is \
            measured: all its marks, and what each of its stages spends time on.

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

    @Option(
        help: ArgumentHelp(
            "Items in the phone's database; ignored with fewer than 128 on the watch.", valueName: "n"))
    var database: Int = 2_000

    @Option(help: ArgumentHelp("Taps per measurement.", valueName: "n"))
    var taps: Int = 100

    @Option(help: ArgumentHelp("The random seed: the same seed gives the same figures.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: "Measure only this handler.")
    var handler: HandlerChoice?

    @Option(help: ArgumentHelp("The steps to run, such as 8 or 8-10.", valueName: "steps"))
    var steps: String = "1-19"

    @Flag(help: "Run the firmware that Hardware/build makes, in QEMU, and show it beside the model.")
    var firmware = false

    @Option(help: ArgumentHelp("The firmware's image.", valueName: "file"))
    var image: String?

    @Option(help: ArgumentHelp("Write the report as JSON; - for standard output.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the report as a self-contained HTML page.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Write the trace of a tap for Perfetto or chrome://tracing.", valueName: "file"))
    var trace: String?

    func validate() throws {
        if image != nil && !firmware { throw ValidationError("--image needs --firmware.") }
        if firmware && handler != nil {
            throw ValidationError("Use either --firmware or --handler, not both: the image has one handler.")
        }
        if handler != nil && steps != "1-19" {
            throw ValidationError("--steps has no effect with --handler: leave one out.")
        }
        if handler != nil && html != nil {
            throw ValidationError("--html has no effect with --handler: leave one out.")
        }
        let paths = [json, html, trace].compactMap { $0 }
        if Set(paths).count < paths.count { throw ValidationError("Give every report a path of its own.") }
    }

    func run() throws {
        let device = try ProfileChoice(named: profile).profile
        let files = try LabFiles(json: json, html: html, trace: trace)
        if let handler {
            try measure(handler, on: device, files)
        } else {
            try takeSteps(on: device, files)
        }
    }
}

extension LabCommand {
    private func takeSteps(on device: DeviceProfile, _ files: LabFiles) throws {
        let lab = try Lab(
            profile: device, items: items, taps: taps, seed: seed, database: database, steps: try Lab.steps(in: steps))
        let progress = LabProgress()
        let report: LabReport
        do {
            defer { progress.end() }
            if firmware {
                progress.show(0, of: 1, "the firmware in its emulator")
                report = try lab.run(firmware: FirmwareImageMeasuring(image: image ?? FirmwareImage.usualPath)) {
                    progress.show($0.done, of: $0.all, $0.next)
                }
            } else {
                report = try lab.run { progress.show($0.done, of: $0.all, $0.next) }
            }
        }
        try files.write(json: report.json, html: report.html)
        try files.writeTrace {
            ChromeTrace([try traced(LegacyHandler(), on: device), try traced(ShippingHandler(), on: device)])
        }
        try files.print { LabTable(report: report, width: $0, ink: $1).lines }
    }

    private func measure(_ handler: HandlerChoice, on device: DeviceProfile, _ files: LabFiles) throws {
        switch handler {
        case .shipping: try measure(ShippingHandler(), on: device, files)
        case .legacy: try measure(LegacyHandler(), on: device, files)
        }
    }

    private func measure(_ handler: some TapHandler, on device: DeviceProfile, _ files: LabFiles) throws {
        let report = try TapLatency.measure(
            handler, on: device, items: items, taps: taps, seed: seed, database: database)
        try files.write(json: report.json, html: nil)
        try files.writeTrace { ChromeTrace([try traced(handler, on: device)]) }
        try files.print { HandlerReport(report: report, width: $0, ink: $1).lines }
    }

    /// A few taps are enough to look at.
    private func traced(_ handler: some TapHandler, on device: DeviceProfile) throws -> TapTrace {
        try TapLatency.trace(
            handler, on: device, items: items, taps: min(taps, 3), seed: seed, database: database)
    }
}
