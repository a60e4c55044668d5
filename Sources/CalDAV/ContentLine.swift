/// A line of an iCalendar object (RFC 5545 section 3.1), as it came.
struct ContentLine: Equatable {
    /// The longest physical line that we write, in bytes, without its end.
    static let longestPhysical = 75

    /// The line as it came, with its folds as LF, without its end.
    let raw: String
    /// The line without folds.
    private let unfolded: String

    /// Nil for bytes that are no UTF-8 without their folds.
    init?(physical: [ArraySlice<UInt8>]) {
        // A fold may be in the middle of a character.
        let joined = physical.enumerated().flatMap { $0.offset == 0 ? $0.element : $0.element.dropFirst() }
        guard let unfolded = String(validating: joined, as: UTF8.self) else { return nil }
        self.unfolded = unfolded
        // One that is folded within a character is kept without folds, and folded again when it is written.
        if let raw = String(validating: Array(physical.joined(separator: [0x0A])), as: UTF8.self) {
            self.raw = raw
        } else {
            self.raw = ContentLine.folded(unfolded)
        }
    }

    /// A line that we write.
    init(_ unfolded: String) {
        self.unfolded = unfolded
        raw = ContentLine.folded(unfolded)
    }

    /// The name in capitals; empty for a line that is none.
    var name: String {
        guard valueStart != nil else { return "" }
        return unfolded.prefix { $0 != ":" && $0 != ";" }.uppercased()
    }

    /// What stands in front of the value: the name with its parameters.
    private var head: Substring { unfolded[..<(valueStart ?? unfolded.endIndex)].dropLast() }

    /// The value as it is written, escaped.
    var value: String { valueStart.map { String(unfolded[$0...]) } ?? "" }

    /// The place behind the first colon that is in no quotes; nil if the line has none, or no name.
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

    /// The line with another value and the same parameters.
    func with(value: String) -> ContentLine { ContentLine("\(head):\(value)") }

    /// The line in pieces of 75 bytes at most, whole characters, with LF and a space between them.
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

/// The escapes of the value type TEXT (RFC 5545 section 3.3.11).
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
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                result.append("\\")
                result.append(scalar)
            case "\n":
                result.append("\\")
                result.append("n")
            case _: result.append(scalar)
            }
        }
        return String(result)
    }
}
