/// The bytes of one run, taken from the front. At their end every number is 0 and every text is empty.
package struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    var all: [UInt8] { Array(rest) }

    /// Everything that is left, as text: ill-formed parts are replaced.
    var text: String { String(decoding: rest, as: UTF8.self) }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func word() -> UInt32 { (0..<4).reduce(0) { word, _ in word << 8 | UInt32(byte()) } }

    mutating func longWord() -> UInt64 { UInt64(word()) << 32 | UInt64(word()) }

    /// At most `limit` bytes, as many as the next byte or two say.
    mutating func bytes(limit: Int = 255) -> [UInt8] {
        let wanted = limit > 255 ? Int(byte()) << 8 | Int(byte()) : Int(byte())
        let count = min(wanted % (limit + 1), rest.count)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
