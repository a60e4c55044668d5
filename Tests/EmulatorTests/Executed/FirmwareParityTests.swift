import DeviceModel
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import Emulator

/// Compares the firmware, which the emulator executes, with the same watch compiled for the host.
@Suite(.serialized, .enabled(if: FirmwareUnderTest.reference != nil, "REFERENCE_FIRMWARE names no image"))
struct FirmwareParityTests {
    @Test(arguments: ParityScenarios.all.map(\.name))
    func `the Reference board shows, plays and sends what the simulated watch does`(name: String) throws {
        try compare(try #require(FirmwareUnderTest.reference), name)
    }

    /// Uses only scenarios with rows and the button. Pictures are not compared, because PineTime's panel has another
    /// size.
    @Test(
        .enabled(if: FirmwareUnderTest.pineTime != nil, "PINETIME_FIRMWARE names no image"),
        arguments: ["taps", "without a phone", "changes on the phone", "a restart", "the end of a list"])
    func `the PineTime plays and sends what the simulated watch does`(name: String) throws {
        try compare(try #require(FirmwareUnderTest.pineTime), name)
    }

    private func compare(_ image: FirmwareUnderTest, _ name: String) throws {
        let scenario = try #require(ParityScenarios.named(name))
        let simulated = try WatchBench(
            phone: InMemoryPhone(items: scenario.items), handler: ShippingHandler(), datagramTime: .milliseconds(15),
            calendar: .unset)
        simulated.phone.calendar = .set(BoardCalendar.example, at: .start)
        simulated.run(for: .seconds(1))
        let executed = try ExecutedBench(image, phone: InMemoryPhone(items: scenario.items))
        expectEqual(executed, simulated, after: "the start")
        for (number, step) in scenario.steps.enumerated() {
            try simulated.perform(step)
            try executed.perform(step)
            // The watches are compared only at rest, after a step that lets time pass.
            guard case .run = step else { continue }
            expectEqual(executed, simulated, after: "step \(number): \(step)")
        }
    }

    private func expectEqual(_ executed: ExecutedBench, _ simulated: some ParityBench, after step: String) {
        #expect(executed.machine.resets.count <= 1, "after \(step)")
        #expect(executed.differences(from: simulated) == [], "after \(step)")
    }
}

extension ExecutedBench: ParityBench {}
