import CortexM
import DeviceModel
import Foundation
import Testing
import Watch

@testable import MachineWatch

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
