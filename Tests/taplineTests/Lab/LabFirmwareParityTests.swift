import DeviceModel
import FirmwareWatch
import Foundation
import TapLatency
import Testing

private let imageUnderTest = ProcessInfo.processInfo.environment["FIRMWARE"]

/// The model's prediction and the firmware's image, which `FIRMWARE` names, side by side as the lab shows them.
@Suite(.enabled(if: imageUnderTest != nil, "FIRMWARE names no image"))
struct LabFirmwareParityTests {
    @Test(arguments: [8, 32, 128])
    func `the stages execute what the model charges for them, within a tenth of the whole`(items: Int) throws {
        let lab = try Lab(Conditions(items: items, taps: 5), steps: 19...19)
        let counted = try FirmwareStages.measure(
            image: try #require(imageUnderTest), phone: lab.conditions.phone, taps: lab.firmwareTaps)
        let report = try lab.run(firmware: counted.instructions)
        let stages = try #require(report.firmware).stages
        #expect(stages.map(\.name) == report.shipping.stages.map(\.name))
        let whole = stages.reduce(0) { $0 + $1.modelled }
        for stage in stages {
            // Each stage reports to its board and some drive it, and the two images have different boards.
            let difference = abs(stage.measured - stage.modelled)
            #expect(difference <= 0.1 * whole, "\(stage.name): \(stage.modelled) us, \(stage.measured) us")
        }
        #expect(report.steps.first?.verdict == .confirmed)
    }
}
