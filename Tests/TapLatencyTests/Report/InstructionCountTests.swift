import Testing
import Watch
import WatchLink

@testable import TapLatency

/// A stage whose instructions nobody has counted says so wherever its time is shown.
@Suite struct InstructionCountTests {
    private let remark = "CPU not counted"

    @Test func `A stranger's stage is reported as not counted, unless it or whoever measures gives a count`() throws {
        let stranger = try measure(ShippingAfter<SlowStage>(), taps: 3)
        #expect(stranger.stages.first { $0.name == "slow" }?.instructionCount == .notCounted)
        #expect(stranger.stages.filter { $0.instructionCount == .notCounted }.count == 1)
        let told = try measure(ShippingAfter<SlowStage>(), taps: 3, instructions: ["slow": 100])
        #expect(told.stages.allSatisfy { $0.instructionCount == .counted })
        let counted = try measure(ShippingAfter<ComputingStage>(), taps: 3)
        #expect(counted.stages.allSatisfy { $0.instructionCount == .counted })
    }

    @Test func `JSON, page, trace and errors say it`() throws {
        let report = try measure(ShippingAfter<SlowStage>(), taps: 3)
        #expect(String(decoding: report.json, as: UTF8.self).contains(#""instructionCount" : "not counted""#))
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(1)) }
        #expect(error?.description.hasSuffix("flash (\(remark))") == true)
        let spans = try trace(ShippingAfter<SlowStage>(), taps: 1).spans
        #expect(spans.contains { $0.name == "slow (\(remark))" })

        var page = LabReport.sample
        #expect(!page.html.contains(remark))
        page.shipping.stages[0].instructionCount = .notCounted
        let text = try #require(ParsedMarkup(page.html)).text
        // In the drawing and in the table.
        #expect(text.ranges(of: remark).count == 2)
    }
}
