import ArgumentParser
import CommandSupport
import DeviceModel
import TapLatency

/// `tapline lab --moments`: what the wearer waits for besides taps.
extension LabCommand {
    /// - Throws: what does not go with moments.
    func validateMoments() throws {
        guard moments else { return }
        if day || firmware || html != nil || trace != nil || flame != nil || steps != "1-19" || handler != nil
            || package != nil
        {
            throw ValidationError("--moments goes with --json, --items, --taps, --seed and --profile alone.")
        }
    }

    func measureMoments(on device: DeviceProfile, _ files: LabFiles) throws {
        let lab = try MomentLab(
            profile: device, items: min(items, 127), count: taps ?? 100, seed: seed,
            image: try executedImage(on: device))
        let progress = ProgressLine()
        let report: MomentReport
        do {
            defer { progress.end() }
            report = try lab.report { progress.show($0, of: MeasuredMoment.allCases.count, $1.rawValue) }
        }
        try files.write(json: report.json, html: nil)
        try files.print { MomentTable(report: report, width: $0, ink: $1).lines }
    }
}
