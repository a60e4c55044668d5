import HostSystem

/// Why a file is not a device profile.
public struct ProfileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Sendable, Equatable {
        /// The file cannot be read; the text says why.
        case unreadable(String)
        /// It is not UTF-8.
        case notText
        /// It is not JSON5; the text says why.
        case malformed(String)
        /// A key is not there.
        case missing(String)
        /// A key has no meaning.
        case unknown(String)
        /// A value is of another type than the one that is asked for.
        case wrongType(String, expected: String)
        /// A number is negative or absurd; the text says what is allowed.
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
