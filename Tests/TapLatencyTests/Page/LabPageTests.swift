import Foundation
import Testing

@testable import TapLatency

@Suite struct LabPageTests {
    private let html = LabReport.sample.html

    @Test func `The page is well-formed, as a whole and in every drawing`() throws {
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        let page = try #require(ParsedMarkup(html))
        let drawings = drawings(of: html)
        #expect(page.named("svg").count == 7)
        #expect(drawings.count == 7)
        for drawing in drawings {
            let svg = try #require(ParsedMarkup(drawing)?.elements.first)
            #expect(svg.attributes["role"] == "img")
            #expect(svg.attributes["aria-label"]?.isEmpty == false)
        }
    }

    @Test func `The page says what it is in`() throws {
        let page = try #require(ParsedMarkup(html))
        #expect(page.named("meta").contains { $0.attributes["charset"] == "utf-8" })
        #expect(page.named("title").count > 0)
        #expect(html.contains("<title>A tap, 1,265 times faster · Tapline lab</title>"))
    }

    @Test func `The page needs nothing but itself`() throws {
        let page = try #require(ParsedMarkup(html))
        let outside: Set<String> = ["script", "link", "img", "iframe", "object", "embed", "use", "image", "a"]
        #expect(page.elements.allSatisfy { !outside.contains($0.name) })
        #expect(page.elements.allSatisfy { $0.attributes.keys.allSatisfy { !$0.hasPrefix("on") } })
        #expect(page.elements.allSatisfy { $0.attributes["href"] == nil && $0.attributes["src"] == nil })
        #expect(!html.contains("<script"))
        #expect(!html.contains("@import") && !html.contains("url("))
        #expect(occurrences(of: "http", in: html) == occurrences(of: "xmlns=\"http://www.w3.org/2000/svg\"", in: html))
    }

    @Test func `The headline is of the report's figures`() throws {
        let text = try #require(ParsedMarkup(html)).text
        for figure in ["3.31\u{A0}s", "2.62\u{A0}ms", "1,265 times faster", "memory-lcd", "2,000", "20251121"] {
            #expect(text.contains(figure))
        }
    }

    @Test func `What legacy's time follows from has a table, and taps at rest have rows`() throws {
        var report = LabReport.sample
        report.legacy.atRest = .around([.updated: 9_870_000, .sent: 214_000, .acknowledged: 654_000])
        let text = try #require(ParsedMarkup(report.html)).text
        for part in ["5,000", "6.40\u{A0}s", "updated, at rest", "9.87\u{A0}s", "654\u{A0}ms"] {
            #expect(text.contains(part), "\(part)")
        }
        report.legacyCauses = nil
        #expect(!report.html.contains("time follows from"))
    }

    @Test func `The same report gives the same bytes`() {
        #expect(Array(LabReport.sample.html.utf8) == Array(html.utf8))
    }

    @Test func `Names are text, whatever is in them`() throws {
        var report = LabReport.sample
        let name = "</title><script>alert(\"1\")</script>&amp;'\u{0}"
        let read = "</title><script>alert(\"1\")</script>&amp;'\u{FFFD}"
        report.profile = name
        report.legacy.handler = name
        report.shipping.handler = name
        report.steps[0].name = name
        report.steps[0].found = name
        report.legacy.stages[0].name = name
        report.firmware?.stages[0].name = name
        let page = try #require(ParsedMarkup(report.html))
        #expect(page.named("script").isEmpty)
        #expect(!report.html.contains("<script"))
        #expect(occurrences(of: read, in: page.text) >= 10)
    }

    @Test func `Marks that no tap reached are en dashes`() throws {
        var report = LabReport.sample
        report.legacy.marks = MarkTimes()
        report.shipping.marks = MarkTimes()
        let page = try #require(ParsedMarkup(report.html))
        #expect(page.text.contains("A tap, measured"))
        #expect(occurrences(of: "<td class=\"figure\" data-label=\"p50\">–</td>", in: report.html) == 20)
    }

    @Test func `Some of the steps are said to be some`() throws {
        var report = LabReport.sample
        report.steps = Array(report.steps[2..<7])
        #expect(try #require(ParsedMarkup(report.html)).text.contains("Steps 3 to 7 of nineteen"))
        report.steps = []
        #expect(ParsedMarkup(report.html) != nil)
    }

    @Test func `Without the firmware the page says how to have it measured`() throws {
        var report = LabReport.sample
        report.firmware = nil
        #expect(try #require(ParsedMarkup(report.html)).text.contains("tapline lab --firmware"))
        #expect(!html.contains("tapline lab --firmware"))
    }

    @Test func `A measurement in which nothing takes any time has a page`() {
        var report = LabReport.sample
        report.panelFloor = PanelFloor(updated: FloorTimes(p50: 0, p99: 0), settled: FloorTimes(p50: 0, p99: 0))
        let zero = Distribution(p50: 0, p90: 0, p99: 0, max: 0, count: 1)
        for mark in LatencyMark.allCases {
            report.legacy.marks[mark] = zero
            report.shipping.marks[mark] = zero
        }
        report.legacy.stages = []
        report.shipping.stages = []
        report.curve = Curve(items: [CurvePoint(items: 8, loss: 0, updated: zero, settled: zero)], loss: [])
        #expect(ParsedMarkup(report.html) != nil)
    }

    /// The drawings as they stand in a page.
    private func drawings(of html: String) -> [String] {
        html.components(separatedBy: "<svg").dropFirst().map { rest in
            "<svg" + (rest.components(separatedBy: "</svg>").first ?? "") + "</svg>"
        }
    }

    private func occurrences(of part: String, in text: String) -> Int {
        text.components(separatedBy: part).count - 1
    }
}
