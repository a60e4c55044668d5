import Testing

@testable import StyleRules

@Suite struct NothingUnfinishedTests {
    @Test(arguments: ["// TODO: later", "/// FIXME", "/* XXX */ let x = 1", "let x = 1  // a HACK"])
    func puttingOffIsReported(_ text: String) {
        #expect(reports(NothingUnfinished(), "\n" + text) == ["2: nothing-unfinished"])
    }

    @Test(arguments: ["// a list of things to do", "let x = \"TODO\"", "let TODO = 1", "// HACKING"])
    func otherWordsAreFine(_ text: String) {
        #expect(reports(NothingUnfinished(), text) == [])
    }
}
