import Glibc
import HostSystem

package struct GraphicsProbe {
    package let graphics: TerminalGraphics
    /// The reason for `graphics`, such as `tmux passes no pictures on`.
    package let why: String
    package let typed: [UInt8]

    private init(_ graphics: TerminalGraphics, _ why: String, typed: [UInt8] = []) {
        self.graphics = graphics
        self.why = why
        self.typed = typed
    }

    /// Tells the user why the terminal cannot show the wanted view. Nil if it can.
    func remark(wanting view: ViewPreference) -> String? {
        switch (view, graphics) {
        case (.always(.pixels), .none): "no pixels: \(why)"
        case (.always, _), (.automatic, _): nil
        }
    }

    /// The maximum wait for the terminal's answers, in milliseconds. It is long enough for a round trip on a slow line.
    private static let timeout = 500

    /// Asks the terminal which graphics it supports, and waits for the answers. Does not ask inside tmux or GNU screen, because
    /// these programs pass no pictures on. Leaves the terminal modes of `input` unchanged.
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

    /// If the terminal did not answer with the size of a cell, uses `size`, which comes from the kernel's terminal driver.
    init(_ answers: GraphicsAnswers, size: PixelSize?) {
        let cell = answers.cell ?? size
        switch (answers.protocols.first, cell) {
        case (nil, _):
            let why = answers.isComplete ? "the terminal draws no pictures" : "the terminal answers no questions"
            self.init(.none, why, typed: answers.typed)
        case (_?, nil): self.init(.none, "the terminal does not say how large a character is", typed: answers.typed)
        case (let type?, let cell?):
            self.init(
                .some(type, cell: cell),
                "the terminal draws \(type.words), a character is \(cell.width) x \(cell.height)",
                typed: answers.typed)
        }
    }

    /// The value of an environment variable. Nil if the variable is empty or not set.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The size of a cell in pixels, from the kernel's terminal driver. Nil if it is unknown.
    static func cell(of descriptor: CInt) -> PixelSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        let cell = PixelSize(width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
        return cell.width > 0 && cell.height > 0 ? cell : nil
    }

    private static func answers(input: CInt, output: CInt) -> GraphicsAnswers {
        var answers = GraphicsAnswers()
        guard isatty(input) == 1 else { return answers }
        var raw = RawInput(input)
        raw.start()
        defer { raw.stop() }
        let questions = GraphicsAnswers.questions
        _ = write(output, questions, questions.utf8.count)
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(timeout)
        while !answers.isComplete, clock.now < end {
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

struct GraphicsAnswers {
    /// Asks whether the terminal supports kitty's protocol, then for the size of a cell in pixels (XTWINOPS 16), and last for
    /// the kind of terminal (DA1). Every terminal answers DA1, and that answer comes last.
    static let questions = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[c"

    private(set) var isComplete = false
    private(set) var protocols: [GraphicsProtocol] = []
    private(set) var cell: PixelSize?
    /// The bytes that belong to no answer. The user typed them while the terminal answered.
    private(set) var typed: [UInt8] = []
    private var pending: [UInt8] = []

    /// The number that stands for sixel graphics in the answer to DA1 (xterm's ctlseqs, "Send Device Attributes").
    private static let sixelAttribute = 4
    private static let escape: UInt8 = 0x1B

    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { take(byte) }
    }

    /// Moves the bytes of an unfinished answer to `typed`.
    mutating func finish() {
        typed += pending
        pending = []
    }

    private mutating func take(_ byte: UInt8) {
        guard !pending.isEmpty || byte == GraphicsAnswers.escape else { return typed.append(byte) }
        pending.append(byte)
        switch (pending.count, pending.count > 1 ? pending[1] : nil) {
        case (1, _): break
        case (2, UInt8(ascii: "[")), (2, UInt8(ascii: "_")): break
        case (2, _): finish()
        case (_, UInt8(ascii: "[")): if (0x40...0x7E).contains(byte) { endControl() }
        // An answer of kitty's protocol ends with ESC and a backslash.
        case (_, _): if pending.suffix(2) == [GraphicsAnswers.escape, UInt8(ascii: "\\")] { endKitty() }
        }
    }

    private mutating func endControl() {
        let text = String(decoding: pending.dropFirst(2).dropLast(), as: UTF8.self)
        switch (pending.last, text.first) {
        case (UInt8(ascii: "c"), "?"):
            let attributes = text.dropFirst().split(separator: ";").compactMap { Int($0) }
            if attributes.contains(GraphicsAnswers.sixelAttribute) { enter(.sixel) }
            isComplete = true
            pending = []
        case (UInt8(ascii: "t"), _):
            let numbers = text.split(separator: ";").compactMap { Int($0) }
            if numbers.count == 3, numbers[0] == 6, numbers[1] > 0, numbers[2] > 0 {
                cell = PixelSize(width: numbers[2], height: numbers[1])
            }
            pending = []
        case _: finish()
        }
    }

    private mutating func enter(_ type: GraphicsProtocol) {
        if !protocols.contains(type) { protocols.append(type) }
    }

    private mutating func endKitty() {
        // Another program in the terminal may have asked with another number.
        if String(decoding: pending.dropFirst(2).dropLast(2), as: UTF8.self) == "Gi=31;OK" { enter(.kitty) }
        pending = []
    }
}
