import MachineWatch
import Testing

@testable import TapLatency

@Suite struct IcicleChartTests {
    @Test func `Each function lies below what calls it, as wide as its share`() throws {
        let boxes = try #require(IcicleChart(.executedSample)).boxes
        #expect(boxes.first?.label == "shipping")
        #expect(boxes.filter { $0.row == 1 }.map(\.label) == ["list model", "row removal"])
        #expect(boxes.filter { $0.row == 1 }.map(\.begin) == [0, 0.5])
        let drawing = try #require(boxes.first { $0.label == "Frame.draw" })
        #expect(drawing.row == 3)
        #expect(drawing.width == 0.449)
        #expect(drawing.shade == .some)
        #expect(boxes.first { $0.label == "Glyphs.next" }?.shade == .most)
        #expect(boxes.allSatisfy { $0.begin + $0.width <= 1.000_001 })
    }

    @Test func `What is too narrow to be seen is one box with what lies beside it`() throws {
        // Two cycles of 2,000 are a tenth of a per cent.
        #expect(try !#require(IcicleChart(.executedSample)).boxes.contains { $0.label == "memset" })
        var report = TapReport.executedSample
        let narrow = (0..<5).map { CallProfile.Call(function: $0 + 1, caller: 0, cycles: 2, instructions: 1) }
        let root = CallProfile.Call(function: 0, caller: nil, cycles: 990, instructions: 9)
        report.stages[0].functions = CallProfile(names: ["a", "b", "c", "d", "e", "f"], calls: [root] + narrow)
        let merged = try #require(IcicleChart(report)).boxes.filter { $0.label == "smaller ones" }
        #expect(merged.map(\.width) == [0.005])
        #expect(merged.map(\.row) == [3])
    }

    @Test func `A handler that was not executed has no chart, and the page no section for it`() throws {
        #expect(IcicleChart(.shippingSample) == nil)
        #expect(!LabReport.sample.html.contains("Where in the code"))
    }

    @Test func `The page is well-formed with it, and a box says on request what it stands for`() throws {
        var report = LabReport.sample
        report.shipping = .executedSample
        report.shipping.stages[0].name = "<script>"
        let page = try #require(ParsedMarkup(report.html))
        #expect(page.text.contains("Where in the code"))
        #expect(page.named("script").isEmpty)
        #expect(page.named("svg").count { $0.attributes["role"] == "img" } == 8)
        #expect(page.text.contains("Watch.Glyphs.next(): 4 cycles a tap, 35\u{A0}%"))
        #expect(report.html == report.html)
    }
}
