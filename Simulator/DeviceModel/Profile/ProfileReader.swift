import Foundation
import HostSystem
import WatchLink

/// Reads a profile's values from JSON5 text, and reports keys that do not belong to a profile.
struct ProfileReader {
    /// The maximum length of a profile in bytes: about 15 times the length of `Simulator/profile.json5`.
    static let longest = 65_536

    private enum Value: Decodable {
        case text(String)
        case number(Double)
        case table([String: Value])
        /// A list, true, false or null. No key of a profile allows these.
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
            throw ProfileError(file: file, text: "a profile has at most \(Self.longest) bytes")
        }
        guard let value = ProfileReader.value(of: source) else {
            throw ProfileError(
                file: file, line: ProfileReader.firstBadLine(of: source),
                text: "this is not JSON5: look at braces, commas, colons and quotation marks")
        }
        if let key = RepeatedKey.first(in: source) {
            throw ProfileError(file: file, text: "a table has \(key) twice: remove one of the two")
        }
        guard case .table(let root) = value else {
            throw ProfileError(file: file, line: 1, text: "a profile is one table in braces { }")
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

    /// Finds the line of the first error, because the decoder does not report it. Closes the open braces after each line, and
    /// tries to decode the text so far. Returns the line's number, from 1. Nil for a text of 1,000 lines or more.
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

    mutating func text(_ key: String) throws(ProfileError) -> String {
        known.insert(key)
        guard let value = root[key] else { throw error(key, "is missing") }
        guard case .text(let text) = value else { throw error(key, "has to be a text") }
        guard !text.isEmpty, text.unicodeScalars.allSatisfy(SanitizedLine.isPlain) else {
            throw error(key, "has to be a text of one line without control characters")
        }
        return text
    }

    enum Rule {
        case any(ClosedRange<Double>)
        case whole(ClosedRange<Int>)
        /// Zero, or a whole number in the range. Zero means that something takes no time or has no limit.
        case wholeOrZero(ClosedRange<Int>)
        /// One of these words. `number` returns the word's index.
        case word([String])
    }

    mutating func number(_ key: String, _ rule: Rule) throws(ProfileError) -> Double {
        switch (rule, try value(key)) {
        case (.word(let words), .text(let text)):
            guard let place = words.firstIndex(of: text) else {
                throw error(key, "has to be " + words.joined(separator: " or "))
            }
            return Double(place)
        case (.word, _): throw error(key, "has to be a text")
        case (.any(let range), .number(let number)):
            guard range.contains(number) else {
                throw error(key, "has to be \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        case (.any, _): throw error(key, "has to be a number")
        case (.whole(let range), let value): return Double(try whole(value, key, range))
        case (.wholeOrZero(let range), let value):
            let number = try whole(value, key, 0...range.upperBound)
            guard number == 0 || range.contains(number) else {
                throw error(key, "has to be 0, or \(range.lowerBound) to \(range.upperBound)")
            }
            return Double(number)
        }
    }

    private func whole(_ value: Value, _ key: String, _ range: ClosedRange<Int>) throws(ProfileError) -> Int {
        guard case .number(let value) = value, let number = Int(exactly: value) else {
            throw error(key, "has to be a whole number")
        }
        guard range.contains(number) else {
            throw error(key, "has to be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func finish() throws(ProfileError) {
        var unknown: [String] = []
        for (key, value) in root where !known.contains(key) {
            guard case .table(let inside) = value, known.contains(where: { $0.hasPrefix("\(key).") }) else {
                unknown.append(key)
                continue
            }
            unknown += inside.keys.map { "\(key).\($0)" }.filter { !known.contains($0) }
        }
        guard let first = unknown.min(by: { (line(of: $0) ?? .max, $0) < (line(of: $1) ?? .max, $1) }) else { return }
        throw error(first, "is not known")
    }

    func error(_ key: String, _ problem: String) -> ProfileError {
        ProfileError(file: file, line: line(of: key), text: "\(key) \(problem)")
    }

    /// The line of a key, from 1. If the key is missing, the line of its table. Nil if the file has neither.
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

    private mutating func value(_ path: String) throws(ProfileError) -> Value {
        let parts = path.split(separator: ".").map(String.init)
        known.insert(path)
        guard let found = root[parts[0]] else { throw error(parts[0], "is missing") }
        guard case .table(let inside) = found else { throw error(parts[0], "has to be a table") }
        guard let value = inside[parts[1]] else { throw error(path, "is missing") }
        return value
    }
}

/// The error in a file that is not a valid device profile.
public struct ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file's name.
    public var file: String
    /// The line, from 1. Nil if the error concerns the whole file.
    public var line: Int?
    /// What is wrong.
    public var text: String

    /// One line for the user. It is sanitized, because it may contain keys from the file.
    public var description: String {
        SanitizedLine("\(file):\(line.map { "\($0):" } ?? "") \(text)").text
    }
}
