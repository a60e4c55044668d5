import Testing

@testable import TerminalWatch

struct LateAnswerTests {
    /// The keys of which an answer takes none.
    private func left(_ keys: [KeyPress]) -> [KeyPress] {
        var answer = LateAnswer.none
        return keys.filter { !answer.takes($0) }
    }

    @Test func `the keys of an answer are taken, and those around it are not`() {
        let answer: [KeyPress] = [.named("M-_")] + "Gi=31;OK".map { .text(String($0)) } + [.named("M-\\")]
        #expect(left([.text("1")] + answer + [.text("2")]) == [.text("1"), .text("2")])
    }

    @Test func `a key that no answer has is the user's`() {
        #expect(left([.named("M-_"), .text("1")]) == [.text("1")])
        #expect(left([.named("M-_"), .text("G"), .text("3"), .named("Up"), .text("1")]) == [.named("Up"), .text("1")])
    }
}
