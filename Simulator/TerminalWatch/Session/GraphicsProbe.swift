import Glibc
import HostSystem

/// Finds out what pictures a terminal draws.
package struct GraphicsProbe {
    /// What it draws.
    package let graphics: TerminalGraphics
    /// Why, as the end of a line.
    package let why: String
    /// What somebody has typed meanwhile.
    let typed: [UInt8]

    private init(_ graphics: TerminalGraphics, _ why: String, typed: [UInt8] = []) {
        self.graphics = graphics
        self.why = why
        self.typed = typed
    }

    /// What is to be said to a user who wants a view that the terminal cannot show, nil for nothing.
    func remark(wanting view: ViewPreference) -> String? {
        switch (view, graphics) {
        case (.always(.pixels), .none): "no pixels: \(why)"
        case (.always, _), (.automatic, _): nil
        }
    }

    /// How long a terminal has for its answers: the way over a slow line and back.
    package static let patience = 500

    /// Asks the terminal, unless something between it and this program keeps pictures to itself.
    ///
    /// - Parameters:
    ///   - input: what it sends; its modes are the same afterwards.
    ///   - output: what it is sent.
    ///   - environment: TERM, TMUX and STY count.
    package init(input: CInt, output: CInt, environment: (String) -> String? = GraphicsProbe.variable) {
        let type = environment("TERM") ?? ""
        if environment("TMUX") != nil || type.hasPrefix("tmux") {
            self.init(.none, "tmux passes no pictures on")
        } else if environment("STY") != nil || type.hasPrefix("screen") {
            self.init(.none, "screen passes no pictures on")
        } else {
            self.init(GraphicsProbe.answers(input: input, output: output), size: GraphicsProbe.cell(of: output))
        }
    }

    /// What follows from the answers and from the size of a cell by the terminal's driver, where that knows it.
    init(_ answers: GraphicsAnswers, size: PixelSize?) {
        let cell = answers.cell ?? size
        switch (answers.protocols.first, cell) {
        case (nil, _):
            switch answers.progress {
            case .waiting: self.init(.none, "the terminal answers no questions", typed: answers.typed)
            case .complete: self.init(.none, "the terminal draws no pictures", typed: answers.typed)
            }
        case (_?, nil): self.init(.none, "the terminal does not say how large a character is", typed: answers.typed)
        case (let type?, let cell?):
            self.init(
                .some(type, cell: cell),
                "the terminal draws \(type.words), a character is \(cell.width) x \(cell.height)",
                typed: answers.typed)
        }
    }

    /// A variable of this process's environment, nil where it is empty.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The size of a cell as the terminal's driver has it, nil where it does not.
    static func cell(of descriptor: CInt) -> PixelSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        let cell = PixelSize(width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
        return cell.width > 0 && cell.height > 0 ? cell : nil
    }

    private static func answers(input: CInt, output: CInt) -> GraphicsAnswers {
        var answers = GraphicsAnswers()
        var modes = termios()
        guard tcgetattr(input, &modes) == 0 else { return answers }
        var raw = modes
        cfmakeraw(&raw)
        tcsetattr(input, TCSANOW, &raw)
        defer { tcsetattr(input, TCSANOW, &modes) }
        let questions = GraphicsAnswers.questions
        _ = write(output, questions, questions.utf8.count)
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(patience)
        while answers.progress == .waiting, clock.now < end {
            let rest = (end - clock.now).components
            var polled = [PolledDescriptor(input, .readable)]
            let length = max(0, rest.seconds * 1_000_000 + rest.attoseconds / 1_000_000_000_000)
            PolledDescriptor.wait(for: &polled, microseconds: UInt64(length))
            guard polled[0].isReady else { break }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(input, &bytes, bytes.count)
            guard count > 0 else { break }
            answers.take(bytes[..<count])
        }
        answers.finish()
        return answers
    }
}

extension GraphicsProtocol {
    fileprivate var words: String {
        switch self {
        case .kitty: "pictures by kitty's protocol"
        case .sixel: "sixels"
        }
    }
}
