import ArgumentParser
import DeviceModel
import FirmwareWatch
import Foundation
import TapLatency
import Watch

/// `tapline lab`: replays the nineteen steps that made a slow tap fast.
struct LabCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Measure where the time of a tap goes, in nineteen steps.",
        discussion: """
            A tap on the watch had collected eight duties and took seconds. The lab takes it apart on a simulated \
            board that charges every operation what a real device would charge. It first turns everything off, then \
            adds one duty after the other, measures where its time goes, and fixes, removes or defers it. All times \
            are those of the device, not of this machine: the same options give the same figures.

            Each row shows the median time from the touch to the struck row on the panel. With --handler the lab \
            measures a single handler: every mark of its taps, and how each of its stages spends its time.

            EXAMPLES
              tapline lab
              tapline lab --steps 8-10 --profile colour-spi
              tapline lab --html lab.html --json lab.json
              tapline lab --handler legacy --taps 20 --trace legacy.json
              Hardware/build && tapline lab --firmware
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
            "Items in the phone's database. With fewer than 128 items on the watch, the phone has the same number.",
            valueName: "n"))
    var database: Int = 2_000

    @Option(help: ArgumentHelp("Taps of each measurement, 1 to 100,000.", valueName: "n"))
    var taps: Int = 100

    @Option(help: ArgumentHelp("The seed of the randomness: which rows are tapped, and when.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: "Measure only this handler instead of the steps.")
    var handler: HandlerChoice?

    @Option(help: ArgumentHelp("The steps to run, such as 8 or 8-10.", valueName: "steps"))
    var steps: String = "1-19"

    @Flag(help: "Run the firmware in QEMU and show its times beside the model's.")
    var firmware = false

    @Option(
        help: ArgumentHelp("The firmware's image; by default the one that Hardware/build makes.", valueName: "file"))
    var image: String?

    @Option(help: ArgumentHelp("Write the report as JSON; - for standard output.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the report as a self-contained HTML page.", valueName: "file"))
    var html: String?

    @Option(
        help: ArgumentHelp("Write the trace of up to three taps, for Perfetto or chrome://tracing.", valueName: "file"))
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

/// Counts what the stages execute on an image, for the lab.
struct FirmwareImageMeasuring: FirmwareMeasuring {
    let image: String

    /// Runs the image in its emulator and taps.
    func instructionsOfStages(with phone: SimulatedPhone, taps: Int) throws -> [String: Double] {
        try FirmwareStages.measure(image: image, phone: phone, taps: taps).instructions
    }
}
