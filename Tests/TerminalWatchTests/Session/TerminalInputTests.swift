import Testing
import WatchLink

@testable import TerminalWatch

struct TerminalInputTests {
    /// Expects the parts `wanted` if `text` arrives at once. If it arrives byte by byte, expects the same typed bytes
    /// and the same number of pastes.
    private func expect(
        _ text: String, is wanted: [TerminalInput.Part], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var whole = TerminalInput()
        #expect(whole.take(text.utf8, at: .start) == wanted, sourceLocation: sourceLocation)
        var pieces = TerminalInput()
        let parts = text.utf8.flatMap { pieces.take([$0], at: .start) }
        #expect(typed(parts) == typed(wanted), sourceLocation: sourceLocation)
        #expect(parts.count { $0 == .pasted } == wanted.count { $0 == .pasted }, sourceLocation: sourceLocation)
    }

    private func typed(_ parts: [TerminalInput.Part]) -> String {
        let bytes = parts.flatMap { part -> [UInt8] in
            switch part {
            case .typed(let bytes): bytes
            case .pasted: []
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func keys(_ text: String) -> TerminalInput.Part { .typed(Array(text.utf8)) }

    @Test func `keys and clicks are passed on`() {
        let text = "1\u{1B}[B\u{1B}[<0;5;6Mé\u{1B}OA\u{1B}q\u{1B}[20~\u{1B}\u{1B}[A"
        expect(text, is: [keys(text)])
    }

    @Test func `nothing of a paste is typed, whatever it has`() {
        let begin = keys("a\u{1B}[200~")
        expect("a\u{1B}[200~2 l milk\n3 eggs\nq\u{1B}[201~1", is: [begin, .pasted, keys("1")])
        expect("a\u{1B}[200~\u{1B}_G1\u{1B}[20\u{1B}\u{1B}[201~", is: [begin, .pasted])
        expect("a\u{1B}[200~\u{1B}[201~\u{1B}[200~q\u{1B}[201~", is: [begin, .pasted, keys("\u{1B}[200~"), .pasted])
    }

    @Test func `Ctrl-C ends a paste and a string that have no end`() {
        expect("\u{1B}[200~12\u{3}", is: [keys("\u{1B}[200~"), keys("\u{3}")])
        expect("\u{1B}_12\u{3}3", is: [keys("\u{3}3")])
    }

    @Test(arguments: ["_Gi=1;OK", "P1$r0m", "]11;rgb:1111/2222/3333", "^12", "X12"])
    func `a string of a terminal is swallowed whole`(string: String) {
        expect("a\u{1B}\(string)\u{1B}\\1", is: [keys("a1")])
        expect("a\u{1B}\(string)\u{7}1", is: [keys("a1")])
        expect("a\u{1B}\(string)\u{18}1", is: [keys("a1")])
        expect("a\u{1B}\(string)\u{1B}[A1", is: [keys("a\u{1B}[A1")])
    }

    @Test func `a key follows an ESC that was alone for 50 ms, and belongs to one that was not`() {
        var input = TerminalInput()
        #expect(input.take("\u{1B}".utf8, at: .start) == [])
        #expect(input.take("3".utf8, at: .start + .milliseconds(50)) == [keys("3")])
        #expect(input.take("\u{1B}".utf8, at: .start + .milliseconds(60)) == [])
        #expect(input.take("3".utf8, at: .start + .milliseconds(109)) == [keys("\u{1B}3")])
    }

    @Test func `a key with Alt takes the keyboard for half a second at most`() {
        var input = TerminalInput()
        #expect(input.take("\u{1B}_1".utf8, at: .start) == [])
        #expect(input.take("2".utf8, at: .start + .milliseconds(499)) == [])
        #expect(input.take("3".utf8, at: .start + .milliseconds(500)) == [keys("3")])
    }
}
