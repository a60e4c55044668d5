import DeviceModel
import Foundation
import TestDoubles
import Testing
import Watch

@testable import Emulator

/// The watch whose machine code is executed does what the one does that is compiled for this machine.
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
