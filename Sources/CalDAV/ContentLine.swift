/// A line of an iCalendar object (RFC 5545 section 3.1). A long one is folded: the next physical line begins with a space.
struct ContentLine: Equatable {
    /// How many bytes the phone writes on one physical line, without its end.
    static let longestPhysical = 75

    /// The line as it was read, with LF at its folds and without its end.
    let raw: String
    private let unfolded: String

    /// Joins physical lines; nil if the result is not UTF-8.
    init?(physical: [ArraySlice<UInt8>]) {
        // Joins bytes, because a fold may split a character.
        let joined = physical.enumerated().flatMap { $0.offset == 0 ? $0.element : $0.element.dropFirst() }
        guard let unfolded = String(validating: joined, as: UTF8.self) else { return nil }
        self.unfolded = unfolded
        // If a fold splits a character, the line is folded anew.
        if let raw = String(validating: Array(physical.joined(separator: [0x0A])), as: UTF8.self) {
            self.raw = raw
        } else {
            self.raw = ContentLine.folded(unfolded)
        }
    }

    init(_ unfolded: String) {
        self.unfolded = unfolded
        raw = ContentLine.folded(unfolded)
    }

    /// The property's name in uppercase; empty if the line is invalid.
    var name: String {
        guard valueStart != nil else { return "" }
        return unfolded.prefix { $0 != ":" && $0 != ";" }.uppercased()
    }

    private var head: Substring { unfolded[..<(valueStart ?? unfolded.endIndex)].dropLast() }

    /// The value, still with its escapes.
    var value: String { valueStart.map { String(unfolded[$0...]) } ?? "" }

    /// The index after the first colon outside quotes; nil if there is none, or if the name is invalid.
    private var valueStart: String.Index? {
        var quotes = 0
        let view = unfolded.unicodeScalars
        for index in view.indices {
            switch view[index] {
            case "\"": quotes += 1
            case ":" where quotes % 2 == 0:
                let name = unfolded[..<index].prefix { $0 != ";" }
                let isName = !name.isEmpty && name.utf8.allSatisfy(ContentLine.isOfName)
                return isName ? view.index(after: index) : nil
            case _: break
            }
        }
        return nil
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        case _: false
        }
    }

    func with(value: String) -> ContentLine { ContentLine("\(head):\(value)") }

    /// Folds a line between characters, into pieces of at most 75 bytes. LF and a space separate them.
    private static func folded(_ line: String) -> String {
        var result = String.UnicodeScalarView()
        var length = 0
        for scalar in line.unicodeScalars {
            let bytes = UTF8.width(scalar)
            if length + bytes > longestPhysical {
                result.append("\n")
                result.append(" ")
                length = 1
            }
            result.append(scalar)
            length += bytes
        }
        return String(result)
    }
}

/// Reads and writes the escapes of the value type TEXT (RFC 5545 section 3.3.11).
enum EscapedText {
    static func reading(_ value: String) -> String {
        var result = String.UnicodeScalarView()
        var scalars = value.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            switch scalars.next() {
            case "n", "N": result.append("\n")
            case let other?: result.append(other)
            case nil: result.append("\\")
            }
        }
        return String(result)
    }

    static func writing(_ text: String) -> String {
        let scalars = text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
            switch scalar {
            case "\\", ";", ",": ["\\", scalar]
            case "\n": ["\\", "n"]
            case _: [scalar]
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
