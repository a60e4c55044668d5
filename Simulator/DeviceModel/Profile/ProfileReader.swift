import HostSystem
import TOMLKit
import WatchLink

/// Reads the values of a profile out of TOML, and says which were never asked for.
struct ProfileReader {
    private let file: String
    private let root: TOMLTable
    private let lines: KeyLines
    private var known: Set<String> = []

    init(_ text: String, file: String) throws(ProfileError) {
        self.file = file
        lines = try ProfileScanner(text, file: file).keys
        do {
            root = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ProfileError(file: file, line: error.source.begin.line, reason: .malformed(error.description))
        } catch {
            throw ProfileError(file: file, line: nil, reason: .malformed("\(error)"))
        }
    }

    /// A text under a key of the file itself.
    mutating func text(_ key: String) throws(ProfileError) -> String {
        known.insert(key)
        guard let value = root[key] else { throw error(key, .missing(key)) }
        guard let text = value.string else { throw error(key, .wrongType(key, expected: "a text")) }
        guard !text.isEmpty, text.unicodeScalars.allSatisfy(PlainLine.isPlain) else {
            throw error(key, .outOfRange(key, allowed: "a text of one line without control characters"))
        }
        return text
    }

    mutating func integer(
        _ table: String, _ key: String, _ range: ClosedRange<Int>
    ) throws(ProfileError) -> Int {
        let path = "\(table).\(key)"
        guard let number = try value(table, key).int else {
            throw error(path, .wrongType(path, expected: "a whole number"))
        }
        guard range.contains(number) else {
            throw error(path, .outOfRange(path, allowed: "\(range.lowerBound) to \(range.upperBound)"))
        }
        return number
    }

    /// A whole number within a range; nil for 0, which a file has for what takes no time.
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

    /// A power of two within a range; nil for 0, which a file has for what is not there.
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
        let value = try value(table, key)
        guard let number = value.double ?? value.int.map(Double.init) else {
            throw error(path, .wrongType(path, expected: "a number"))
        }
        guard range.contains(number) else {
            throw error(path, .outOfRange(path, allowed: "\(range.lowerBound) to \(range.upperBound)"))
        }
        return number
    }

    /// One of the words of an enum.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ table: String, _ key: String
    ) throws(ProfileError) -> Word {
        let path = "\(table).\(key)"
        let words = Word.allCases.map(\.rawValue)
        guard let text = try value(table, key).string else { throw error(path, .wrongType(path, expected: "a text")) }
        guard let word = Word(rawValue: text) else {
            throw error(path, .outOfRange(path, allowed: words.joined(separator: " or ")))
        }
        return word
    }

    /// A length in microseconds, of an hour at most.
    mutating func length(_ table: String, _ key: String) throws(ProfileError) -> Microseconds {
        Microseconds(UInt64(try integer(table, key, 0...3_600_000_000)))
    }

    /// Throws where the file has a key that nobody asked for.
    func finish() throws(ProfileError) {
        var unknown: [String] = []
        for key in root.keys where !known.contains(key) {
            guard let table = root[key]?.table else {
                unknown.append(key)
                continue
            }
            let inside = table.keys.map { "\(key).\($0)" }.filter { !known.contains($0) }
            let isKnown = known.contains { $0.hasPrefix("\(key).") }
            unknown += isKnown ? inside : [key]
        }
        // The first in the file.
        guard let first = unknown.min(by: { (lines.line(of: $0), $0) < (lines.line(of: $1), $1) }) else { return }
        throw error(first, .unknown(first))
    }

    func error(_ key: String, _ reason: ProfileError.Reason) -> ProfileError {
        ProfileError(file: file, line: lines.line(of: key), reason: reason)
    }

    private mutating func value(_ table: String, _ key: String) throws(ProfileError) -> any TOMLValueConvertible {
        let path = "\(table).\(key)"
        known.insert(path)
        guard let found = root[table] else { throw error(table, .missing("[\(table)]")) }
        guard let inside = found.table else { throw error(table, .wrongType(table, expected: "a table")) }
        guard let value = inside[key] else { throw error(path, .missing(path)) }
        return value
    }
}
