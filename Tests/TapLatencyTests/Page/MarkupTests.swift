import Testing

@testable import TapLatency

@Suite struct MarkupTests {
    @Test func `Text and attributes are escaped as they are written`() {
        let markup = Markup.tag("b", ["title": "\"<"], [.text("<&")])
        #expect(markup.written == "<b title=\"&quot;&lt;\">&lt;&amp;</b>")
    }

    @Test func `An element that nothing is ever in is closed as it is opened`() {
        #expect(Markup.tag("rect", ["x": "1"]).written == "<rect x=\"1\"/>\n")
        #expect(Markup.tag("i", [:]).written == "<i></i>")
    }

    @Test func `Attributes keep their order`() {
        #expect(Markup.tag("i", ["b": "1", "a": "2"]).written == "<i b=\"1\" a=\"2\"></i>")
    }
}
