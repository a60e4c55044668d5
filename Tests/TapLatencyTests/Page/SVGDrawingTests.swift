import Testing

@testable import TapLatency

@Suite struct SVGDrawingTests {
    @Test func `A drawing says what it shows, in well-formed XML`() throws {
        var drawing = SVGDrawing(label: "Bars of \"a\" < b", height: 40)
        drawing.rowName("<a> & b", note: "deferred", y: 0)
        let parsed = try #require(ParsedMarkup(drawing.markup.written))
        let svg = try #require(parsed.named("svg").first)
        #expect(svg.attributes["role"] == "img")
        #expect(svg.attributes["aria-label"] == "Bars of \"a\" < b")
        #expect(parsed.text.contains("<a> & b"))
    }

    @Test func `Shares are of the plot's width`() throws {
        var drawing = SVGDrawing(label: "", height: 40, plot: 0.8)
        drawing.bar(0.25, to: 0.75, y: 4, height: 9, style: "k", title: "a bar")
        let rect = try #require(ParsedMarkup(drawing.markup.written)?.named("rect").first)
        #expect(rect.attributes["x"] == "20.000000%")
        #expect(rect.attributes["width"] == "40.000000%")
    }

    @Test func `A bar of no width is left out`() throws {
        var drawing = SVGDrawing(label: "", height: 40)
        drawing.bar(0.5, to: 0.5, y: 0, height: 9, style: "k", title: "")
        #expect(try #require(ParsedMarkup(drawing.markup.written)).named("rect").isEmpty)
    }

    @Test func `A mark's name lies on the side where there is room`() throws {
        func anchor(_ x: Double) throws -> String? {
            var drawing = SVGDrawing(label: "", height: 40)
            drawing.mark(x, "here", y: 12, to: 40)
            return try #require(ParsedMarkup(drawing.markup.written)).named("text").first?.attributes["text-anchor"]
        }
        #expect(try anchor(0.1) == "start")
        #expect(try anchor(0.9) == "end")
    }

    @Test func `Text lies above every shape`() throws {
        var drawing = SVGDrawing(label: "", height: 40)
        drawing.rowName("a name", y: 0)
        drawing.upright(0.1, from: 0, to: 40, style: "mark")
        let names = try #require(ParsedMarkup(drawing.markup.written)).elements.map(\.name)
        #expect(names == ["svg", "line", "text"])
    }

    @Test func `A long name is shortened`() {
        #expect("a name".shortened == "a name")
        #expect(String(repeating: "n", count: 99).shortened == String(repeating: "n", count: 41) + "…")
    }
}
