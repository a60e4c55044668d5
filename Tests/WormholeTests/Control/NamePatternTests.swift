import Testing

@testable import Wormhole

struct NamePatternTests {
    @Test func `A name is that name alone; with an asterisk it is every name that begins so`() throws {
        #expect(try NamePattern("score").matches("score"))
        #expect(try !NamePattern("score").matches("score.home"))
        #expect(try NamePattern("score*").matches("score"))
        #expect(try NamePattern("score*").matches("score.home"))
        #expect(try !NamePattern("score*").matches("scor"))
        #expect(try NamePattern("*").matches("anything"))
    }

    @Test func `What no name can be is refused`() {
        for text in ["", String(repeating: "n", count: 33), String(repeating: "n", count: 33) + "*"] {
            #expect(throws: WormholeError.invalidName(text)) { try NamePattern(text) }
        }
    }
}
