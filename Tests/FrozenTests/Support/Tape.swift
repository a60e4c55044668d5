/// A recording of a link as it was seen at the watch: one line for each datagram, and for each tap of the wearer.
struct Tape {
    enum Line: Equatable {
        /// The watch sent this datagram.
        case fromWatch([UInt8])
        /// This datagram arrived at the watch.
        case toWatch([UInt8])
        /// The wearer tapped the row at this position on the panel.
        case tap(Int)
    }

    var lines: [Line] = []

    /// - Parameter text: `< hex`, `> hex` or `tap N` a line; a line that begins with # says something to people.
    init(_ text: String) throws {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count == 2 else { throw FrozenFileError.unreadable(line: String(line)) }
            switch (words[0], [UInt8](hexadecimal: words[1]), Int(words[1])) {
            case ("<", let bytes?, _): lines.append(.fromWatch(bytes))
            case (">", let bytes?, _): lines.append(.toWatch(bytes))
            case ("tap", _, let row?): lines.append(.tap(row))
            default: throw FrozenFileError.unreadable(line: String(line))
            }
        }
    }

    init(_ lines: [Line]) { self.lines = lines }

    var text: String {
        lines.map { line in
            switch line {
            case .fromWatch(let bytes): "< \(bytes.hexadecimal)\n"
            case .toWatch(let bytes): "> \(bytes.hexadecimal)\n"
            case .tap(let row): "tap \(row)\n"
            }
        }.joined()
    }

    /// What the watch sent, in order.
    var fromWatch: [[UInt8]] {
        lines.compactMap { line in
            switch line {
            case .fromWatch(let bytes): bytes
            case .toWatch, .tap: nil
            }
        }
    }

    /// What arrived at the watch, in order.
    var toWatch: [[UInt8]] {
        lines.compactMap { line in
            switch line {
            case .toWatch(let bytes): bytes
            case .fromWatch, .tap: nil
            }
        }
    }
}

extension [UInt8] {
    init?(hexadecimal text: Substring) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { (place: Int) -> UInt8 in
            UInt8(digits[place] * 16 + digits[place + 1])
        }
    }

    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
