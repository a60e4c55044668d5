import Testing

@testable import Wormhole

@Suite("Patterns of names")
struct NamePatternTests {
    @Test("A name is that name alone; with an asterisk it is every name that begins so")
    func matches() throws {
        #expect(try NamePattern("score").matches("score"))
        #expect(try !NamePattern("score").matches("score.home"))
        #expect(try NamePattern("score*").matches("score"))
        #expect(try NamePattern("score*").matches("score.home"))
        #expect(try !NamePattern("score*").matches("scor"))
        #expect(try NamePattern("*").matches("anything"))
    }

    @Test("What no name can be is refused")
    func refused() {
        for text in ["", String(repeating: "n", count: 33), String(repeating: "n", count: 33) + "*"] {
            #expect(throws: WormholeError.invalidName(text)) { try NamePattern(text) }
        }
    }
}
