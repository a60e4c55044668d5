/// The bytes of one run of a target. `byte`, `bytes` and the other mutating functions take bytes from the front. When
/// none are left, each number is 0, and each text is empty.
package struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    var all: [UInt8] { Array(rest) }

    var text: String { String(decoding: rest, as: UTF8.self) }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func word() -> UInt32 { (0..<4).reduce(0) { word, _ in word << 8 | UInt32(byte()) } }

    mutating func longWord() -> UInt64 { UInt64(word()) << 32 | UInt64(word()) }

    /// Takes a count, and then as many bytes, at most `limit`. The count is the next byte, or the next two if `limit`
    /// is above 255.
    mutating func bytes(limit: Int = 255) -> [UInt8] {
        let wanted = limit > 255 ? Int(byte()) << 8 | Int(byte()) : Int(byte())
        let count = min(wanted % (limit + 1), rest.count)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
