import HostSystem

/// Reads a profile's text ahead of the TOML parser: which line each key is on, and whether the parser can be given the
/// text.
///
/// The parser, TOML++ 3.0, ends the process at some texts. It asserts that a name follows the bracket of a table, that a
/// brace or a line separator is no value of an array, and that a date is followed by a whole time or none; it keeps 127
/// characters to step back over; it recurses through the parts of a dotted key; and it stops at a NUL as if the file
/// ended there. So it is given the part of TOML that values of a profile are written in: comments, tables, keys, texts,
/// numbers and tables in braces, without control characters. The rest, such as arrays and dates, is refused here.
struct ProfileScanner {
    /// The longest profile, in bytes: 25 times the example.
    static let longest = 65_536
    /// The most parts of a key, and the most braces within each other. A profile needs two and one.
    static let deepest = 8
    /// The longest number, in characters.
    static let longestNumber = 64

    /// The lines of the keys.
    private(set) var keys = KeyLines()
    private let file: String
    private var rest: Substring.UnicodeScalarView
    /// The line of what is read next, from 1.
    private var line = 1

    /// - Throws: what keeps the parser from being given the text, in its line.
    init(_ text: String, file: String) throws(ProfileError) {
        self.file = file
        rest = text.unicodeScalars[...]
        guard text.utf8.count <= Self.longest else {
            throw ProfileError(
                file: file, line: nil, reason: .malformed("a profile has at most \(Self.longest) bytes"))
        }
        // A byte order mark, which some editors begin a file with.
        _ = take("\u{FEFF}")
        var table: [String] = []
        while !rest.isEmpty {
            skipSpace()
            switch rest.first {
            case nil, "#", "\n", "\r": break
            case "[": table = try header()
            case _: try pair(in: table, depth: 0)
            }
            try endOfLine()
        }
    }

    // MARK: Statements

    /// `[table]`
    private mutating func header() throws(ProfileError) -> [String] {
        rest.removeFirst()
        guard rest.first != "[" else { throw refused("a profile has no arrays of tables: take one bracket") }
        skipSpace()
        guard let first = rest.first, Self.isBare(first) || first == "\"" || first == "'" else {
            throw refused("the name of a table has to follow its bracket")
        }
        let path = try key()
        guard take("]") else { throw unexpected("]") }
        keys.add(path, line: line)
        return path
    }

    /// `key = value`
    private mutating func pair(in table: [String], depth: Int) throws(ProfileError) {
        let path = table + (try key())
        keys.add(path, line: line)
        guard take("=") else { throw unexpected("=") }
        skipSpace()
        switch rest.first {
        case "\"", "'": try text()
        case "{": try braces(of: path, depth: depth + 1)
        case "[": throw refused("a profile has no arrays")
        case _: try number()
        }
    }

    /// `{ key = value, key = value }`
    private mutating func braces(of path: [String], depth: Int) throws(ProfileError) {
        guard depth <= Self.deepest else { throw refused("braces go \(Self.deepest) deep at most") }
        rest.removeFirst()
        skipSpace()
        if take("}") { return }
        repeat {
            skipSpace()
            try pair(in: path, depth: depth)
            skipSpace()
        } while take(",")
        guard take("}") else { throw unexpected("a comma or }") }
    }

    /// What may be behind a statement: spaces, a comment, and the end of the line.
    private mutating func endOfLine() throws(ProfileError) {
        skipSpace()
        if rest.first == "#" {
            while let scalar = rest.first, scalar != "\n", scalar != "\r" { try character() }
        }
        switch rest.first {
        case nil: break
        case "\n", "\r": try character()
        case _: throw unexpected("a comment or the end of the line")
        }
    }

    // MARK: Keys

    /// `part.part`, and the spaces around each.
    private mutating func key() throws(ProfileError) -> [String] {
        var parts: [String] = []
        repeat {
            guard parts.count < Self.deepest else { throw refused("a key has at most \(Self.deepest) parts") }
            skipSpace()
            switch rest.first {
            case let mark? where mark == "\"" || mark == "'":
                let part = try quoted()
                guard mark == "'" || !part.contains("\\") else { throw refused("a key has no escapes") }
                parts.append(part)
            case let scalar? where Self.isBare(scalar): parts.append(take(while: Self.isBare))
            case _: throw unexpected("a key")
            }
            skipSpace()
        } while take(".")
        return parts
    }

    /// Whether a key may have it without quotation marks.
    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        case _: false
        }
    }

    // MARK: Values

    /// A number, or one of the words that TOML has.
    private mutating func number() throws(ProfileError) {
        let word = take { $0 == "+" || $0 == "." || Self.isBare($0) }
        guard !word.isEmpty else { throw unexpected("a value") }
        guard word.utf8.count <= Self.longestNumber else {
            throw refused("a number has at most \(Self.longestNumber) characters")
        }
        guard Self.isNumber(word) else {
            throw refused("\(word) is no number, and a text has to be in quotation marks")
        }
    }

    /// Whether a word is for the parser to read: one with a hyphen or a plus among its digits, such as a date, is not.
    private static func isNumber(_ word: String) -> Bool {
        var digits = word[...]
        if digits.first == "+" || digits.first == "-" { digits.removeFirst() }
        guard let first = digits.first, first.isWholeNumber || first == "." else {
            return ["true", "false", "inf", "nan"].contains(String(digits))
        }
        return zip(digits, digits.dropFirst()).allSatisfy { before, sign in
            sign != "+" && sign != "-" || before == "e" || before == "E"
        }
    }

    /// A text in quotation marks, which may be three and enclose several lines.
    private mutating func text() throws(ProfileError) {
        let marks = rest.prefix(3)
        guard let mark = marks.first, marks.count == 3, marks.allSatisfy({ $0 == mark }) else {
            _ = try quoted()
            return
        }
        let start = line
        rest.removeFirst(3)
        while !rest.isEmpty {
            // Two more may stand before the closing three.
            let count = rest.prefix(5).prefix { $0 == mark }.count
            if count == 0 {
                if mark == "\"", take("\\"), rest.isEmpty { break }
                try character()
            } else {
                rest.removeFirst(count)
                if count >= 3 { return }
            }
        }
        line = start
        throw refused("a text begins here that has no closing quotation marks")
    }

    /// A text of one line in quotation marks: what is between them, as it is written.
    private mutating func quoted() throws(ProfileError) -> String {
        let mark = rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.first, scalar != "\n", scalar != "\r" {
            if take(mark) { return String(text) }
            text.append(scalar)
            try character()
            if mark == "\"", scalar == "\\", let escaped = rest.first, escaped == mark || escaped == "\\" {
                text.append(escaped)
                rest.removeFirst()
            }
        }
        throw refused("a text has no closing quotation mark on its line")
    }

    // MARK: Characters

    /// One character of a comment or a text, or a line break.
    private mutating func character() throws(ProfileError) {
        let scalar = rest.removeFirst()
        switch scalar {
        case "\n": line += 1
        case "\r":
            guard take("\n") else {
                throw refused("a carriage return has to be followed by a line feed: end the lines as Unix does")
            }
            line += 1
        case "\t", " "..."~", "\u{80}"...: break
        case _: throw refused("the control character \(Self.name(scalar)) has to be taken out")
        }
    }

    private mutating func skipSpace() {
        _ = take { $0 == " " || $0 == "\t" }
    }

    /// Takes a scalar where it is the next.
    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func take(while fits: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: fits)
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    // MARK: Refusals

    private func refused(_ text: String) -> ProfileError {
        ProfileError(file: file, line: line, reason: .malformed(text))
    }

    private func unexpected(_ wanted: String) -> ProfileError {
        switch rest.first {
        case nil: refused("\(wanted) has to be here, not the end of the file")
        case "\n", "\r": refused("\(wanted) has to be here, not the end of the line")
        case let scalar?: refused("\(wanted) has to be here, not \(Self.name(scalar))")
        }
    }

    /// How an error names a scalar: by its number where it may look like a space, or like nothing.
    private static func name(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "!"..."~": return "'\(scalar)'"
        case _:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}
