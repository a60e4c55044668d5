import DeviceModel
import DeviceModelTesting
import Testing
import Watch

@testable import MachineWatch

/// The watch whose machine code is executed does what the one does that is compiled for this machine.
@Suite(.serialized, .enabled(if: LabImageUnderTest.path != nil, "LAB_FIRMWARE names no image"))
struct MachineParityTests {
    @Test(arguments: ParityScenarios.all.map(\.name))
    func `it shows, sends and stores what the simulated watch does`(name: String) throws {
        let scenario = try #require(ParityScenarios.named(name))
        let image = try LabImageUnderTest.load()
        for profile in [DeviceProfile.memoryLCD, .instant] {
            let machine = try MachineBench(
                image, .own(handler: try image.place(of: "shipping")), phone: SimulatedPhone(items: scenario.items),
                profile: profile)
            let simulated = try WatchBench(
                phone: SimulatedPhone(items: scenario.items), handler: ShippingHandler(), profile: profile)
            for (number, step) in scenario.steps.enumerated() {
                try simulated.perform(step)
                try machine.perform(step)
                try #require(machine.snapshot.phase == .running, "after step \(number): \(step)")
                #expect(machine.differences(from: simulated) == [], "after step \(number): \(step)")
            }
        }
    }

    @Test func `two runs are the same to the byte, the microsecond and the cycle`() throws {
        let image = try LabImageUnderTest.load()
        func diary() throws -> [String] {
            let bench = try MachineBench(image, .own(handler: 0), phone: SimulatedPhone(items: 12))
            bench.connect()
            return (0..<3).map { row in
                bench.tap(row)
                bench.run(for: .milliseconds(400))
                let snapshot = bench.snapshot
                return "\(snapshot.time) \(snapshot.output) \(snapshot.description) \(bench.work.cycles)"
            }
        }
        #expect(try diary() == diary())
    }
}
