import Testing

@testable import TerminalWatch

struct GraphicsAnswersTests {
    private func answers(_ text: String) -> GraphicsAnswers {
        var answers = GraphicsAnswers()
        answers.take(text.utf8)
        return answers
    }

    private let size = "\u{1B}[6;20;10t"

    @Test func `a terminal with kitty's protocol says so before it says what it is`() {
        let probe = GraphicsProbe(answers("\u{1B}_Gi=31;OK\u{1B}\\\(size)\u{1B}[?62;c"), size: nil)
        #expect(probe.graphics == .some(.kitty, cell: PixelSize(width: 10, height: 20)))
    }

    @Test func `a terminal with sixels has the attribute 4`() {
        #expect(
            GraphicsProbe(answers("\(size)\u{1B}[?62;4;9;22c"), size: nil).graphics
                == .some(.sixel, cell: PixelSize(width: 10, height: 20)))
        #expect(GraphicsProbe(answers("\(size)\u{1B}[?64;14;44c"), size: nil).graphics == .none)
    }

    @Test func `kitty's protocol comes first where there are both, and an error of it is no answer`() {
        let both = answers("\u{1B}_Gi=31;OK\u{1B}\\\(size)\u{1B}[?62;4c")
        #expect(GraphicsProbe(both, size: nil).graphics == .some(.kitty, cell: PixelSize(width: 10, height: 20)))
        let error = answers("\u{1B}_Gi=31;ENOTSUP:no\u{1B}\\\(size)\u{1B}[?62;4c")
        #expect(GraphicsProbe(error, size: nil).graphics == .some(.sixel, cell: PixelSize(width: 10, height: 20)))
    }

    @Test func `the answer to another program's question says nothing about this terminal`() {
        let foreign = answers("\u{1B}_Gi=1;OK\u{1B}\\\(size)\u{1B}[?62;4c")
        #expect(GraphicsProbe(foreign, size: nil).graphics == .some(.sixel, cell: PixelSize(width: 10, height: 20)))
        #expect(foreign.typed.isEmpty)
    }

    @Test
    func
        `the size of a character is the driver's where the terminal does not say it, and without any there are no pixels`()
    {
        let cell = PixelSize(width: 9, height: 19)
        #expect(GraphicsProbe(answers("\u{1B}[?62;4c"), size: cell).graphics == .some(.sixel, cell: cell))
        let unknown = GraphicsProbe(answers("\u{1B}[?62;4c"), size: nil)
        #expect(unknown.graphics == .none)
        #expect(unknown.why.contains("how large"))
        #expect(GraphicsProbe(answers("\u{1B}[6;0;0t\u{1B}[?62;4c"), size: nil).graphics == .none)
    }

    @Test func `a user who wants pixels on a terminal without them is told why`() {
        let none = GraphicsProbe(answers("\u{1B}[?62c"), size: nil)
        #expect(none.remark(wanting: .always(.pixels)) == "no pixels: the terminal draws no pictures")
        #expect(none.remark(wanting: .automatic) == nil)
        let some = GraphicsProbe(answers("\(size)\u{1B}[?62;4c"), size: nil)
        #expect(some.remark(wanting: .always(.pixels)) == nil)
    }

    @Test func `what is typed meanwhile is kept, and an answer ends with its last byte`() {
        var answers = answers("q\u{1B}[6;20;")
        #expect(!answers.isComplete)
        answers.take("10t1\u{1B}[A\u{1B}[?1;2c".utf8)
        #expect(answers.isComplete)
        #expect(answers.cell == PixelSize(width: 10, height: 20))
        #expect(String(decoding: answers.typed, as: UTF8.self) == "q1\u{1B}[A")
    }

    @Test func `an answer that never ends is typed`() {
        var answers = answers("\u{1B}_Gi=31")
        answers.finish()
        #expect(String(decoding: answers.typed, as: UTF8.self) == "\u{1B}_Gi=31")
    }

    @Test(arguments: [("TMUX", "/tmp/tmux"), ("TERM", "tmux-256color"), ("STY", "1.pts"), ("TERM", "screen")])
    func `nothing is asked where something between keeps pictures to itself`(name: String, value: String) throws {
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        defer { terminal.close() }
        let probe = GraphicsProbe(input: terminal.program, output: terminal.program) { $0 == name ? value : nil }
        #expect(probe.graphics == .none)
        #expect(terminal.output().isEmpty)
    }

    @Test func `a terminal that answers nothing has none, and has its modes back`() throws {
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        defer { terminal.close() }
        let modes = terminal.modes
        let probe = GraphicsProbe(input: terminal.program, output: terminal.program) { _ in nil }
        #expect(probe.graphics == .none)
        #expect(probe.why.contains("answers no questions"))
        #expect(terminal.modes == modes)
        #expect(terminal.output() == GraphicsAnswers.questions)
    }
}
