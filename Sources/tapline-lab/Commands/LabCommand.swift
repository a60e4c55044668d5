import ArgumentParser
import CommandSupport
import DeviceModel
import Emulator
import Foundation
import TapLatency
import Watch

struct LabCommand: AsyncParsableCommand {
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
              tapline lab --handler legacy --taps 20
              tapline lab --handler shipping --flame shipping.folded
              tapline lab --moments
              tapline lab --package Tests/Examples --handler PartyHandler
              tapline lab --json new.json && tapline lab compare main.json new.json
              tapline lab --firmware watch.elf --after 'wait 5s; swipe up' --tap 42,82 --budget 60ms
            """,
        subcommands: [LabCompareCommand.self, LabTableCommand.self])

    @Option(
        help: ArgumentHelp(
            "The device: memory-lcd, colour-spi, instant, or a JSON5 file such as Simulator/profile.json5.",
            valueName: "profile"),
        completion: .profiles)
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

    @Option(
        help: ArgumentHelp(
            "Measure only this handler instead of the steps: shipping, legacy, or with --package a type of it.",
            valueName: "name"))
    var handler: String?

    @Option(
        help: ArgumentHelp(
            "Take a handler of this package apart, by executing it: see tapline count.", valueName: "directory"))
    var package: String?

    @Option(help: ArgumentHelp("The steps to run, such as 8 or 8-10.", valueName: "steps"))
    var steps: String = "1-19"

    @Flag(
        help:
            "Print the time to the panel at launch, for an added item and for a raised wrist, beside the panel's own time."
    )
    var moments = false

    @Flag(
        help: "Take the processor's time from the table of counts, even if there is an image to execute.")
    var counted = false

    @Option(
        help: ArgumentHelp(
            "The image to execute; by default the one from Hardware/build --lab, built automatically if the tools are there.",
            valueName: "file"))
    var labImage: String?

    @Option(help: ArgumentHelp("Write the report as JSON; - for standard output.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the report as a self-contained HTML page.", valueName: "file"))
    var html: String?

    @Option(
        help: ArgumentHelp(
            "Write the functions that took each stage's cycles: folded stacks, for flame graphs; - for standard output.",
            valueName: "file"))
    var flame: String?

    @OptionGroup(title: "Any firmware") var image: FirmwareLabOptions

    func validate() throws {
        if image.firmware != nil {
            if hasHandlerConditions {
                throw ValidationError(
                    "--firmware goes only with its own options and --taps, --json, --html and --flame.")
            }
            guard (1...100_000).contains(taps) else { throw ValidationError("--taps is 1 to 100000.") }
        }
        if package != nil {
            if handler == nil { throw ValidationError("--package needs --handler: the handler's type.") }
            if counted || labImage != nil || html != nil {
                throw ValidationError("--package goes only with --handler, --json, --flame and the conditions.")
            }
        } else if let handler, OwnHandler(rawValue: handler) == nil {
            let known = OwnHandler.allCases.map(\.rawValue).joined(separator: " and ")
            throw ValidationError("There is no handler '\(handler)': there are \(known); --package has others.")
        }
        if labImage != nil && counted {
            throw ValidationError("Use either --lab-image or --counted, not both.")
        }
        if handler != nil && steps != "1-19" {
            throw ValidationError("--steps has no effect with --handler: leave one out.")
        }
        if handler != nil && html != nil {
            throw ValidationError("--html has no effect with --handler: leave one out.")
        }
        if moments, html != nil || flame != nil || steps != "1-19" || handler != nil || package != nil {
            throw ValidationError(
                "--moments measures no handler and prints or writes JSON: leave out the options of handlers and pages.")
        }
        let paths = [json, html, flame].compactMap { $0 }
        if Set(paths).count < paths.count { throw ValidationError("Give every report a path of its own.") }
    }

    func run() async throws {
        let device = try DeviceProfile(option: profile)
        let files = try LabFiles(json: json, html: html, flame: flame)
        if let firmware = image.firmware {
            try image.measure(firmware, taps: taps, files)
        } else if moments {
            try measureMoments(on: device, files)
        } else if let package, let handler {
            try takeApart(handler, of: package, on: device, files)
        } else if let choice = handler.flatMap(OwnHandler.init(rawValue:)) {
            try measure(choice, on: device, files)
        } else {
            try await takeSteps(on: device, files)
        }
    }
}

extension LabCommand {
    /// Whether every option except `--json` has its default value.
    var hasNoConditions: Bool {
        html == nil && flame == nil && taps == 100 && image.areUnused && !hasHandlerConditions
    }

    /// Whether the user changed an option that applies to handlers, but not to `--firmware`.
    private var hasHandlerConditions: Bool {
        [handler, package, labImage].contains { $0 != nil } || counted || profile != DeviceProfile.memoryLCD.name
            || steps != "1-19" || items != 128 || database != 2_000 || seed != 1 || moments
    }

    /// Makes the conditions of the measurement from the options. Checks the options before it builds or reads the image.
    private func conditions(on device: DeviceProfile) throws -> Conditions {
        var conditions = Conditions(profile: device, items: items, taps: taps, seed: seed, database: database)
        try conditions.check()
        if package == nil, let image = try executedImage(on: device) { conditions.processor = .executed(image) }
        return conditions
    }

    private func takeSteps(on device: DeviceProfile, _ files: LabFiles) async throws {
        let steps = try Lab.steps(in: steps)
        let lab = try Lab(try conditions(on: device), steps: steps)
        var report = try ProgressLine.during { progress in
            try lab.run { progress.show($0, of: $1, $2) }
        }
        if steps == Lab.allSteps { report.phone = try await PhoneLab.rows(device.phone) }
        try files.write(
            report.text, json: report.json, html: report.page, flame: [report.legacy, report.shipping].foldedStacks)
    }

    private func executedImage(on device: DeviceProfile) throws -> LabImage? {
        guard let path = counted ? nil : try labImage ?? usualImage() else {
            if flame == nil { return nil }
            let advice = "Hardware/build --lab makes the image" + (counted ? ", and leave --counted out" : "")
            throw CommandFailure("--flame needs executed machine code, because a table has no functions: \(advice)")
        }
        guard device.isOfReferenceBoard else {
            guard labImage == nil, flame == nil else {
                throw CommandFailure(
                    "the lab executes the Reference board, and \(device.name) is another: use --counted")
            }
            return nil
        }
        return try LabImage(file: path)
    }

    /// Returns the path of the image that `Hardware/build --lab` makes; nil if the image does not exist. In a checkout, first
    /// builds a missing or outdated image, if this machine has the tools.
    private func usualImage() throws -> String? {
        if let checkout = LabCheckout.ours, checkout.state != .current, checkout.missingTools.isEmpty {
            try ProgressLine.during { progress in
                progress.show(0, of: 1, "building the image for the lab")
                try checkout.buildImage()
            }
        }
        let usual = FirmwareImage.lab.usualPath
        return FileManager.default.fileExists(atPath: usual) ? usual : nil
    }

    private func measure(_ handler: OwnHandler, on device: DeviceProfile, _ files: LabFiles) throws {
        let lab = try Lab(try conditions(on: device))
        let report = try ProgressLine.during { progress in
            progress.show(0, of: 1, handler.rawValue)
            return try lab.measure(handler)
        }
        try files.write(report.text, json: report.json, flame: [report].foldedStacks)
    }

    private func takeApart(
        _ handler: String, of package: String, on device: DeviceProfile, _ files: LabFiles
    ) throws {
        let conditions = try conditions(on: device)
        let trial = try ProgressLine.during { progress in
            let handlers = try ExecutableHandlers(of: HandlerPackage(directory: package), only: handler)
            let path = try handlers.image(show: progress.show, say: progress.say)
            let image = try LabImage(file: path)
            let count = image.handlers.first?.stages.count ?? 0
            return try examine(image, handler: 0, under: conditions) {
                progress.show($0, of: count, image.handlers[0].name)
            }
        }
        try files.write(trial.text(budget: .tapToUpdate), json: trial.json, flame: [trial.whole].foldedStacks)
    }

    private func measureMoments(on device: DeviceProfile, _ files: LabFiles) throws {
        let lab = try MomentLab(try conditions(on: device))
        let report = try ProgressLine.during { progress in
            try lab.report { progress.show($0, of: MeasuredMoment.allCases.count, $1.rawValue) }
        }
        try files.write(report.text, json: report.json)
    }
}

extension ProgressLine {
    static func during<Result>(_ work: (ProgressLine) throws -> Result) rethrows -> Result {
        let progress = ProgressLine()
        defer { progress.end() }
        return try work(progress)
    }
}
