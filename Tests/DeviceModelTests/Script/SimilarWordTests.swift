import Testing

@testable import DeviceModel

@Suite struct SimilarWordTests {
    @Test(arguments: [
        ("tpa", "tap"), ("tapp", "tap"), ("Tap", "tap"), ("exepct", "expect"), ("descrbe", "describe"),
        ("incldue", "include"),
        ("scrennshot", "screenshot"), ("pone", "phone"),
    ])
    func `a typing error finds its word`(word: String, meant: String) {
        #expect(SimilarWord.to(word, among: ScriptParser.commandNames) == meant)
    }

    @Test(arguments: ["shake", "", "fly", "zz", "expectation", "t"]) func `another word finds none`(word: String) {
        #expect(SimilarWord.to(word, among: ScriptParser.commandNames) == nil)
    }
}
