import ArgumentParser
import CommandSupport
import DeviceModel
import TapLatency

/// `tapline lab --day`: what a day takes from the battery.
extension LabCommand {
    /// - Throws: what goes with a day alone, or does not go with one.
    func validateDay() throws {
        guard day else {
            if looks != nil || changes != nil {
                throw ValidationError("--looks and --changes are of a day: add --day.")
            }
            return
        }
        if package != nil { throw ValidationError("--package has no effect with --day: leave one out.") }
        if firmware || html != nil || trace != nil || flame != nil || steps != "1-19" {
            throw ValidationError(
                "--day goes with --handler, --json, --looks, --taps, --changes and the conditions alone.")
        }
    }

    func measureDay(on device: DeviceProfile, _ files: LabFiles) throws {
        let described = DescribedDay(
            looks: looks ?? DescribedDay.usual.looks, taps: taps ?? DescribedDay.usual.taps,
            changes: changes ?? DescribedDay.usual.changes)
        let lab = try DayLab(
            profile: device, items: items, seed: seed, database: database, day: described,
            image: try executedImage(on: device))
        let handlers: [OwnHandler] =
            switch handler.flatMap(HandlerChoice.init(rawValue:)) {
            case nil: [.legacy, .shipping]
            case .legacy: [.legacy]
            case .shipping: [.shipping]
            }
        let progress = ProgressLine()
        let report: DayReport
        do {
            defer { progress.end() }
            report = try lab.report(of: handlers) { progress.show($0, of: handlers.count, "a day of \($1.rawValue)") }
        }
        try files.write(json: report.json, html: nil)
        try files.print { DayTable(report: report, width: $0, ink: $1).lines }
    }
}
