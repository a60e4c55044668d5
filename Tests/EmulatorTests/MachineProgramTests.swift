import DeviceModel
import Foundation
import Synchronization
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
}

/// What the manual allows for a tap is what a core takes that is as fast, or as slow, as the manual allows.
@Suite(.serialized, .enabled(if: LabImageUnderTest.path != nil, "LAB_FIRMWARE names no image"))
struct AllowedCyclesTests {
    private func tap(_ timing: CoreTiming) throws -> TapHistory { try marginAndTap(timing).tap }

    /// A tap, with what the manual had left open when the finger came down.
    private func marginAndTap(_ timing: CoreTiming) throws -> (margin: TimeMargin, tap: TapHistory) {
        let image = try LabImage(LabImageUnderTest.bytes(), timing: timing)
        let bench = try MachineBench(
            image, .own(handler: try image.place(of: "shipping")), phone: SimulatedPhone(items: 12))
        bench.connect()
        bench.run(for: .seconds(1))
        let margin = DeviceProfile.memoryLCD.processor.margin(of: bench.work)
        bench.tap(1)
        bench.run(for: .seconds(1))
        return (margin, try #require(bench.watch.output.taps.histories.last))
    }

    @Test func `each stage's bounds are the cycles of the fastest and of the slowest core`() throws {
        let (fast, assumed, slow) = (try tap(.shortest), try tap(.cortexM4), try tap(.longest))
        try #require(fast.stages.map(\.name) == assumed.stages.map(\.name))
        try #require(slow.stages.map(\.name) == assumed.stages.map(\.name))
        for (index, stage) in assumed.stages.enumerated() {
            let allowed = try #require(stage.allowedCycles)
            let cycles = try #require(stage.cycles)
            #expect(allowed.contains(cycles), "\(stage.name)")
            #expect(fast.stages[index].cycles == allowed.lowerBound, "\(stage.name)")
            #expect(slow.stages[index].cycles == allowed.upperBound, "\(stage.name)")
        }
    }

    @Test func `the margin at the update is the difference of the cores' times`() throws {
        let (before, assumed) = try marginAndTap(.cortexM4)
        let (fast, slow) = (try tap(.shortest), try tap(.longest))
        let updated = try [fast, assumed, slow].map { try #require($0.sinceTouch(.updated)).count }
        let margin = try #require(assumed.margin(at: .updated)).since(before)
        // Each of the times is rounded to a microsecond, and what is sent to the panel meanwhile absorbs some of the processor's.
        // A core that is faster may even have it up to two microseconds later.
        #expect(updated[0] <= updated[1] + 2 && updated[1] <= updated[2] + 2)
        #expect(updated[1] <= updated[0] + margin.shorter.count + 2)
        #expect(updated[2] <= updated[1] + margin.longer.count + 2)
        #expect(margin.shorter > .zero && margin.longer > .zero)
    }
}

/// What a witness sees of the calls of a watch.
@Suite(.enabled(if: LabImageUnderTest.path != nil, "LAB_FIRMWARE names no image"))
struct AnswerWitnessTests {
    private final class Pairs: Sendable {
        let seen = Mutex<[(before: CortexM4, after: CortexM4)]>([])
    }

    @Test func `each answer leads to the call of the next one, also with a look at the screen in between`() throws {
        let (image, pairs) = (try LabImageUnderTest.load(), Pairs())
        let bench = try MachineBench(
            image, .own(handler: 0), phone: SimulatedPhone(items: 3),
            witness: { before, after in pairs.seen.withLock { $0.append((before, after)) } })
        #expect(bench.screen.rows.isEmpty)
        bench.run(for: .seconds(1))
        let seen = pairs.seen.withLock { $0 }
        try #require(seen.count > 10)
        #expect(seen[0].before.next != seen[0].after.next)
        for (earlier, later) in zip(seen, seen.dropFirst()) {
            var machine = earlier.after
            var nothing = NoObserver()
            #expect(throws: Trap.breakpoint(0x54)) {
                try machine.run(upTo: .max, until: 1, &nothing)
            }
            #expect(machine.next == later.before.next)
            #expect(machine.programRegisters == later.before.programRegisters)
        }
    }
}
