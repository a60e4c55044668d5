import Glibc

/// Takes lines out of a stream of bytes as they become complete.
struct LineReader {
    /// Bytes of the longest line: a longer one is cut into pieces of this length.
    static let longestLine = 4_096

    private var pending: [UInt8] = []

    /// Returns the lines that these bytes complete, without their ends. Bytes that are not UTF-8 are replaced.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || pending.count == LineReader.longestLine { lines.append(flush()) }
            if byte != UInt8(ascii: "\n") { pending.append(byte) }
        }
        return lines
    }

    /// The unfinished last line, nil where there is none.
    mutating func end() -> String? {
        pending.isEmpty ? nil : flush()
    }

    private mutating func flush() -> String {
        defer { pending = [] }
        return String(decoding: pending, as: UTF8.self)
    }
}
