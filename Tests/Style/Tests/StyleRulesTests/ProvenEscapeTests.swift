import Testing

@testable import StyleRules

@Suite struct ProvenEscapeTests {
    static let escapes = [
        "final class C: @unchecked Sendable {}",
        "nonisolated(unsafe) var x = 1",
        "let x = try! f()",
        "let x = y!",
        "let x = y![0]!.z",
        "let x = y as! Int",
        "var x: Int!",
    ]

    @Test(arguments: escapes) func escapeWithoutAProofIsReported(_ text: String) {
        let all = reports(ProvenEscape(), "\n" + text)
        #expect(Set(all) == ["2: proven-escape"])
    }

    @Test(arguments: escapes) func proofOnTheLineOrTheOneBeforeIsEnough(_ text: String) {
        #expect(reports(ProvenEscape(), "\(text)  // set above") == [])
        #expect(reports(ProvenEscape(), "// Set above.\n\(text)") == [])
        #expect(reports(ProvenEscape(), "// Set above.\n\n\(text)") != [])
    }

    @Test func documentationProvesOnlyWhenItSpeaksOfThreads() {
        let type = "public final class C: @unchecked Sendable {}"
        #expect(reports(ProvenEscape(), "/// A store.\n\(type)") == ["2: proven-escape"])
        #expect(reports(ProvenEscape(), "/// A store: every property is behind a lock.\n\(type)") == [])
    }

    @Test(arguments: ["let x = !y", "let x = y != z", "let x = try? f()", "let x = y as? Int", "let s = \"a!\""])
    func otherMarksAreFine(_ text: String) {
        #expect(reports(ProvenEscape(), text) == [])
    }
}
