import Foundation
import HostSystem
import WatchLink

/// Reads a profile from JSON5, and finds the keys that nothing has read.
struct ProfileReader {
    /// The longest profile, in bytes: about 15 times the example.
    static let longest = 65_536

    private enum Value: Decodable {
        case text(String)
        case number(Double)
        case table([String: Value])
        /// A list, true, false or null, which no profile has.
        case other

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let table = try? container.decode([String: Value].self) {
                self = .table(table)
            } else {
                self = .other
            }
        }
    }

    private let file: String
    private let source: String
    private let root: [String: Value]
    private var known: Set<String> = []

    init(_ text: String, file: String) throws(ProfileError) {
        self.file = file
        source = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        guard text.utf8.count <= Self.longest else {
            throw ProfileError(
                file: file, line: nil, reason: .malformed("a profile has at most \(Self.longest) bytes"))
        }
        guard let value = ProfileReader.value(of: source) else {
            throw ProfileError(
                file: file, line: ProfileReader.firstBadLine(of: source),
                reason: .malformed("this is not JSON5: look at braces, commas, colons and quotation marks"))
        }
        guard case .table(let root) = value else {
            throw ProfileError(file: file, line: 1, reason: .malformed("a profile is one table in braces { }"))
        }
        self.root = root
    }

    private static func value(of text: String) -> Value? {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try? decoder.decode(Value.self, from: Data(text.utf8))
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    /// The first line of a text that is not JSON5, from 1: the first after which closing every brace does not complete
    /// the text. The decoder does not tell it. Nil for a text longer than any profile.
    private static func firstBadLine(of text: String) -> Int? {
        let lines = lines(of: text)
        guard lines.count < 1_000 else { return nil }
        var depth = 0
        var before = ""
        for (index, line) in lines.enumerated() {
            let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
            depth += code.count { $0 == "{" } - code.count { $0 == "}" }
            before += "\(line)\n"
            if depth == 0, code.allSatisfy(\.isWhitespace) { continue }
            guard depth >= 0, value(of: before + String(repeating: "}", count: depth)) != nil else { return index + 1 }
        }
        return lines.count
    }

    /// A text under a key of the file itself.
    mutating func text(_ key: String) throws(ProfileError) -> String {
        known.insert(key)
        guard let value = root[key] else { throw error(key, .missing(key)) }
        guard case .text(let text) = value else { throw error(key, .wrongType(key, expected: "a text")) }
        guard !text.isEmpty, text.unicodeScalars.allSatisfy(PlainLine.isPlain) else {
            throw error(key, .outOfRange(key, allowed: "a text of one line without control characters"))
        }
        return text
    }

    mutating func integer(
        _ table: String, _ key: String, _ range: ClosedRange<Int>
    ) throws(ProfileError) -> Int {
        let path = "\(table).\(key)"
        guard case .number(let value) = try value(table, key), let number = Int(exactly: value) else {
            throw error(path, .wrongType(path, expected: "a whole number"))
        }
        guard range.contains(number) else {
            throw error(path, .outOfRange(path, allowed: "\(range.lowerBound) to \(range.upperBound)"))
        }
        return number
    }

    /// Nil for 0, which stands for something that takes no time.
    mutating func integerUnlessZero(
        _ table: String, _ key: String, _ range: ClosedRange<Int>
    ) throws(ProfileError) -> Int? {
        let number = try integer(table, key, 0...range.upperBound)
        guard number == 0 || range.contains(number) else {
            let path = "\(table).\(key)"
            throw error(path, .outOfRange(path, allowed: "0, or \(range.lowerBound) to \(range.upperBound)"))
        }
        return number == 0 ? nil : number
    }

    /// Nil for 0, which stands for an absent part.
    mutating func powerOfTwoUnlessZero(
        _ table: String, _ key: String, _ range: ClosedRange<Int>
    ) throws(ProfileError) -> Int? {
        guard let number = try integerUnlessZero(table, key, range) else { return nil }
        guard number.nonzeroBitCount == 1 else {
            let path = "\(table).\(key)"
            throw error(path, .outOfRange(path, allowed: "0, or a power of two"))
        }
        return number
    }

    mutating func number(
        _ table: String, _ key: String, _ range: ClosedRange<Double>
    ) throws(ProfileError) -> Double {
        let path = "\(table).\(key)"
        guard case .number(let number) = try value(table, key) else {
            throw error(path, .wrongType(path, expected: "a number"))
        }
        guard range.contains(number) else {
            throw error(path, .outOfRange(path, allowed: "\(range.lowerBound) to \(range.upperBound)"))
        }
        return number
    }

    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ table: String, _ key: String
    ) throws(ProfileError) -> Word {
        let path = "\(table).\(key)"
        let words = Word.allCases.map(\.rawValue)
        guard case .text(let text) = try value(table, key) else {
            throw error(path, .wrongType(path, expected: "a text"))
        }
        guard let word = Word(rawValue: text) else {
            throw error(path, .outOfRange(path, allowed: words.joined(separator: " or ")))
        }
        return word
    }

    /// A length in microseconds, of an hour at most.
    mutating func length(_ table: String, _ key: String) throws(ProfileError) -> Microseconds {
        Microseconds(UInt64(try integer(table, key, 0...3_600_000_000)))
    }

    /// Throws if a key was not read.
    func finish() throws(ProfileError) {
        var unknown: [String] = []
        for (key, value) in root where !known.contains(key) {
            guard case .table(let inside) = value, known.contains(where: { $0.hasPrefix("\(key).") }) else {
                unknown.append(key)
                continue
            }
            unknown += inside.keys.map { "\(key).\($0)" }.filter { !known.contains($0) }
        }
        // The first in the file.
        guard let first = unknown.min(by: { (line(of: $0) ?? .max, $0) < (line(of: $1) ?? .max, $1) }) else { return }
        throw error(first, .unknown(first))
    }

    func error(_ key: String, _ reason: ProfileError.Reason) -> ProfileError {
        ProfileError(file: file, line: line(of: key), reason: reason)
    }

    /// The line of `table.key`, or of its table, from 1; nil if neither is in the file.
    private func line(of key: String) -> Int? {
        var found: Int?
        var parts = key.split(separator: ".")[...]
        for (index, line) in ProfileReader.lines(of: source).enumerated() {
            guard let part = parts.first else { break }
            let start = line.drop { $0.isWhitespace || "{,\"'".contains($0) }
            let rest = start.dropFirst(part.count).drop { $0.isWhitespace || "\"'".contains($0) }
            guard start.hasPrefix(part), rest.first == ":" else { continue }
            found = index + 1
            parts.removeFirst()
        }
        return found
    }

    private mutating func value(_ table: String, _ key: String) throws(ProfileError) -> Value {
        let path = "\(table).\(key)"
        known.insert(path)
        guard let found = root[table] else { throw error(table, .missing(table)) }
        guard case .table(let inside) = found else { throw error(table, .wrongType(table, expected: "a table")) }
        guard let value = inside[key] else { throw error(path, .missing(path)) }
        return value
    }
}

/// Why a file is not a device profile.
public struct ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Sendable, Equatable {
        case unreadable(String)
        case notText
        case malformed(String)
        case missing(String)
        case unknown(String)
        case wrongType(String, expected: String)
        case outOfRange(String, allowed: String)
    }

    /// The file.
    public var file: String
    /// The line, from 1; nil if the error is about the whole file.
    public var line: Int?
    /// What is wrong.
    public var reason: Reason

    /// One line for a person: keys, and what the parser quotes, are the file's own words.
    public var description: String {
        PlainLine("\(file):\(line.map { "\($0):" } ?? "") \(text)").text
    }

    private var text: String {
        switch reason {
        case .unreadable(let why): "the profile cannot be read (\(why))"
        case .notText: "the profile is no text of UTF-8: save it as UTF-8"
        case .malformed(let why): why
        case .missing(let key): "\(key) is missing"
        case .unknown(let key): "\(key) is not known"
        case .wrongType(let key, let expected): "\(key) has to be \(expected)"
        case .outOfRange(let key, let allowed): "\(key) has to be \(allowed)"
        }
    }
}
