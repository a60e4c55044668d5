import Foundation
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel
@testable import FirmwareWatch

@Suite(.serialized, .enabled(if: FirmwareUnderTest.image != nil, "FIRMWARE names no image"))
struct FirmwareParityTests {
    @Test(arguments: ParityScenarios.all.map(\.name))
    func `it shows and sends what the simulated watch does`(name: String) throws {
        let scenario = try #require(ParityScenarios.named(name))
        let simulated = try WatchBench(
            phone: SimulatedPhone(items: scenario.items), handler: ShippingHandler(), profile: .asTheFirmware,
            datagramTime: .milliseconds(15))
        let firmware = try FirmwareBench(
            image: try #require(FirmwareUnderTest.image), phone: SimulatedPhone(items: scenario.items))
        try compare(firmware, with: simulated, after: "the start")
        for (number, step) in scenario.steps.enumerated() {
            try simulated.perform(step)
            try firmware.perform(step)
            try compare(firmware, with: simulated, after: "step \(number): \(step)")
        }
    }

    private func compare(_ firmware: some ParityBench, with simulated: some ParityBench, after step: String) throws {
        try #require(firmware.snapshot.phase == .running, "after \(step)")
        #expect(firmware.differences(from: simulated) == [], "after \(step)")
    }
}

extension FirmwareBench: ParityBench {}

/// The image under test, which `FIRMWARE` names.
enum FirmwareUnderTest {
    static var image: String? { ProcessInfo.processInfo.environment["FIRMWARE"] }
}

extension DeviceProfile {
    /// On the firmware's machine a finger is an interrupt at once.
    static var asTheFirmware: DeviceProfile {
        var profile = DeviceProfile.memoryLCD
        profile.touch = TouchCost(scanInterval: .zero)
        return profile
    }
}
