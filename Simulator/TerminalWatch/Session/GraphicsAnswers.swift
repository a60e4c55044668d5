/// What a terminal answers to the questions about its graphics: a machine that takes bytes.
struct GraphicsAnswers {
    /// What is asked: whether a picture by kitty's protocol could be shown, the size of a cell in pixels (XTWINOPS 16), and
    /// last what kind of terminal it is (DA1), which every terminal answers.
    static let questions = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[c"

    /// How far the answers are.
    enum Progress: Equatable {
        /// There may be more.
        case waiting
        /// The last one is here.
        case complete
    }

    private(set) var progress = Progress.waiting
    /// The protocols that the terminal has said it understands.
    private(set) var protocols: [GraphicsProtocol] = []
    /// The size of a cell, nil where the terminal has not said it.
    private(set) var cell: PixelSize?
    /// What is no answer: somebody has typed it meanwhile.
    private(set) var typed: [UInt8] = []
    private var pending: [UInt8] = []

    /// The number by which DA1 says that a terminal draws sixels (xterm's ctlseqs, "Send Device Attributes").
    private static let sixelAttribute = 4
    private static let escape: UInt8 = 0x1B

    /// Takes bytes that the terminal has sent.
    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { take(byte) }
    }

    /// Takes what is left of an answer that never ended as typed.
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
        // An answer of kitty's ends with ESC and a backslash.
        case (_, _): if pending.suffix(2) == [GraphicsAnswers.escape, UInt8(ascii: "\\")] { endKitty() }
        }
    }

    private mutating func endControl() {
        let text = String(decoding: pending.dropFirst(2).dropLast(), as: UTF8.self)
        switch (pending.last, text.first) {
        case (UInt8(ascii: "c"), "?"):
            let attributes = text.dropFirst().split(separator: ";").compactMap { Int($0) }
            if attributes.contains(GraphicsAnswers.sixelAttribute) { enter(.sixel) }
            progress = .complete
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
        let text = String(decoding: pending.dropFirst(2).dropLast(2), as: UTF8.self)
        if text.hasPrefix("G"), text.hasSuffix(";OK") { enter(.kitty) }
        pending = []
    }
}
