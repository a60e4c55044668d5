import Testing

@testable import TapLatency

@Suite struct EscapedTests {
    @Test func `What begins markup is written as text`() {
        #expect(Escaped(text: "<b>\"Q\" & 'A'</b>").text == "&lt;b&gt;\"Q\" &amp; 'A'&lt;/b&gt;")
    }

    @Test func `Quotes end no attribute`() {
        #expect(Escaped(attribute: "a\" onload='x'").text == "a&quot; onload=&#39;x&#39;")
    }

    @Test func `Characters that XML does not have are replaced`() {
        #expect(Escaped(text: "a\u{0}b\u{1B}c\u{FFFE}").text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
    }

    @Test func `Other text stays as it is`() {
        #expect(Escaped(text: "µs – Crème\u{A0}🥛\n").text == "µs – Crème\u{A0}🥛\n")
    }
}
