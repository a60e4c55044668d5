import DeviceModel
import Foundation
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import Emulator

/// Compares a watch whose machine code the emulator executes with the same watch compiled for the host.
@Suite(.serialized, .enabled(if: LabImageUnderTest.path != nil, "LAB_FIRMWARE names no image"))
struct MachineParityTests {
    @Test(arguments: ParityScenarios.all.map(\.name))
    func `it shows, sends and stores what the simulated watch does`(name: String) throws {
        let scenario = try #require(ParityScenarios.named(name))
        let image = try LabImageUnderTest.load()
        // The executed watch knows the time only from a phone.
        let machine = try MachineBench(
            image, .own(handler: try image.place(of: "shipping")), phone: InMemoryPhone(items: scenario.items),
            calendar: .unset)
        let simulated = try WatchBench(
            phone: InMemoryPhone(items: scenario.items), handler: ShippingHandler(), calendar: .unset)
        for (number, step) in scenario.steps.enumerated() {
            try simulated.perform(step)
            try machine.perform(step)
            try #require(machine.snapshot.phase == .running, "after step \(number): \(step)")
            #expect(machine.differences(from: simulated) == [], "after step \(number): \(step)")
        }
    }
}

@Suite(.enabled(if: LabImageUnderTest.path != nil, "LAB_FIRMWARE names no image"))
struct MachineHapticTests {
    @Test func `the motor moves later by the profile's start, as on the simulated watch`() throws {
        let image = try LabImageUnderTest.load()
        let felt = try [Microseconds(0), .milliseconds(3)].map { start in
            var profile = DeviceProfile.memoryLCD
            profile.haptic.start = start
            let bench = try MachineBench(
                image, .own(handler: try image.place(of: "shipping")), phone: InMemoryPhone(items: 3), profile: profile)
            bench.connect()
            bench.tap(0)
            bench.run(for: .seconds(1))
            return try #require(bench.snapshot.taps.last?.touchToFelt)
        }
        #expect(felt[1] == felt[0] + .milliseconds(3))
    }
}

struct ImageTimeTests {
    @Test(
        arguments: [
            (5_000_000, 4_999_000, 4_999_000), (5_000_000, 5_000_000, 5_000_000), (5_000_000, 5_000_001, 5_000_000),
            (5_000_000, 5_000_031, 5_000_000), (4_294_968_000, 4_294_967_000, 4_294_967_000),
        ] as [(UInt64, UInt64, UInt64)])
    func `a time of the image that is ahead of the clock is now`(now: UInt64, told: UInt64, expected: UInt64) {
        let word = UInt32(truncatingIfNeeded: told)
        #expect(Instant(microseconds: now).before(word: word) == Instant(microseconds: expected))
    }
}
