import DeviceModel
import Foundation
import TapLatency
import Testing

@testable import tapline

private let imageUnderTest = ProcessInfo.processInfo.environment["FIRMWARE"]

/// The model's prediction and the firmware's image, which `FIRMWARE` names, side by side as the lab shows them.
@Suite(.enabled(if: imageUnderTest != nil, "FIRMWARE names no image"))
struct LabFirmwareParityTests {
    @Test(arguments: [8, 32, 128])
    func `every stage executes what the model charges for it, within 5 %`(items: Int) throws {
        let measuring = FirmwareImageMeasuring(image: try #require(imageUnderTest))
        let report = try Lab(items: items, taps: 5, steps: 19...19).run(firmware: measuring)
        let stages = try #require(report.firmware).stages
        #expect(stages.map(\.name) == report.shipping.stages.map(\.name))
        for stage in stages {
            #expect(abs(stage.difference) <= 0.05, "\(stage.name): \(stage.modelled) us, \(stage.measured) us")
        }
        #expect(report.steps.first?.verdict == .confirmed)
    }
}
