import Foundation
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel
@testable import FirmwareWatch

@Suite(.serialized, .enabled(if: FirmwareUnderTest.image != nil, "FIRMWARE names no image"))
struct FirmwareParityTests {
    private static let pause = ParityStep.run(.milliseconds(400))

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

    @Test func `two runs with the same inputs are the same to the byte and the microsecond`() throws {
        let image = try #require(FirmwareUnderTest.image)
        func diary() throws -> [String] {
            let bench = try FirmwareBench(image: image, phone: SimulatedPhone(items: 12))
            bench.connect()
            let steps: [ParityStep] = [
                Self.pause, .tap(row: 0), .tap(row: 3), Self.pause, .send(.press(.crown)), .cut, Self.pause,
                .send(.press(.crown)), .tap(row: 1), Self.pause, .connect, Self.pause,
            ]
            // A burst reports more than the board keeps until it is idle.
            let rows = (0..<RowGeometry.rowsVisible).map { RowGeometry.rowTop($0) + 2 }
            #expect(bench.burst(rows.flatMap { [Input].tap(x: 60, y: Int16($0)) }))
            return try steps.map { step in
                try bench.perform(step)
                let snapshot = bench.snapshot
                return "\(snapshot.time) \(snapshot.number) \(snapshot.output) \(snapshot.description) "
                    + "\(bench.phone.checkOffs)"
            }
        }
        let first = try diary()
        let second = try diary()
        let difference = zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(difference == nil && first.count == second.count, "at step \(difference?.offset ?? first.count)")
    }

    @Test func `a thousand taps without a pause lose none`() throws {
        let image = try #require(FirmwareUnderTest.image)
        let bench = try FirmwareBench(image: image, phone: SimulatedPhone(items: 3))
        bench.connect()
        let press = Input.press(.crown)
        let before = bench.snapshot.description.screen
        #expect(bench.burst([Input](repeating: press, count: 1_000)))
        #expect(bench.snapshot.description.screen == before)
        #expect(bench.burst([press]))
        #expect(bench.snapshot.description.screen != before)
    }
}

/// The firmware, at the host's pace.
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
