import Testing

@testable import StyleRules

@Suite struct LengthTests {
    /// `count` lines of code.
    func lines(_ count: Int) -> String {
        String(repeating: "f()\n", count: count)
    }

    @Test func fileHasAtMostFourHundredLines() {
        #expect(reports(FileLength(), lines(400)) == [])
        #expect(reports(FileLength(), lines(401)) == ["401: file-length"])
    }

    @Test(arguments: ["func f()", "init()", "deinit", "var x: Int", "var x: Int { get"])
    func bodyHasAtMostSixtyLines(_ head: String) {
        let closing = head.hasSuffix("get") ? "} }" : "}"
        #expect(reports(FunctionLength(), "class C {\n\(head) {\n\(lines(60))\(closing)\n}") == [])
        #expect(reports(FunctionLength(), "class C {\n\(head) {\n\(lines(61))\(closing)\n}") == ["2: function-length"])
    }

    @Test func functionInsideAFunctionCountsToo() {
        let text = "func f() {\nfunc g() {\n\(lines(61))}\n}"
        #expect(reports(FunctionLength(), text) == ["1: function-length", "2: function-length"])
    }

    @Test func tableIsNoFunction() {
        #expect(reports(FunctionLength(), "var table: StaticString {\n\"\"\"\n\(lines(80))\"\"\"\n}") == [])
        #expect(reports(FunctionLength(), "var t: StaticString {\nget {\n\"\"\"\n\(lines(80))\"\"\"\n}\n}") == [])
        #expect(reports(FunctionLength(), "var x: Int {\nf(\"\"\"\n\(lines(80))\"\"\")\n}") == ["1: function-length"])
    }
}
