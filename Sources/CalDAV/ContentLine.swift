/// A content line of an iCalendar object (RFC 5545 section 3.1). A long content line is folded into several physical lines. Each
/// of them except the first begins with a space or a tab.
struct ContentLine: Equatable {
    /// The maximum length of a physical line that the phone writes, in bytes without the line break.
    static let longestPhysical = 75

    /// The folded line. LF separates its physical lines, and no line break follows the last one. A line that was read keeps its
    /// original folds.
    let raw: String
    private let unfolded: String

    /// Joins the physical lines of one content line, given without their line breaks. Nil if the result is not UTF-8.
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

    /// The property's value with its escapes, which `EscapedText` can decode; empty if the line is invalid.
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

    /// Folds a line into physical lines of at most 75 bytes, and splits no Unicode scalar. LF separates the physical lines, and
    /// each except the first begins with a space.
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
