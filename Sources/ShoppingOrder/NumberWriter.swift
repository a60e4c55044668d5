/// Writes numbers, texts and lists of them as bytes.
struct NumberWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func signed(_ value: Int64) {
        number(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    mutating func text(_ text: String) {
        number(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    mutating func list<Element>(_ elements: [Element], _ write: (inout NumberWriter, Element) -> Void) {
        number(UInt64(elements.count))
        for element in elements { write(&self, element) }
    }
}

/// Reads what a `NumberWriter` has written.
struct NumberReader {
    /// The bytes are not what was written.
    struct Damage: Error {}

    private var rest: ArraySlice<UInt8>

    init(bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() throws(Damage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { throw Damage() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Damage()
    }

    mutating func signed() throws(Damage) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// A number that counts or names something in memory.
    mutating func index() throws(Damage) -> Int {
        guard let index = Int(exactly: try number()) else { throw Damage() }
        return index
    }

    mutating func text() throws(Damage) -> String {
        let count = try index()
        guard count <= rest.count, let text = String(validating: rest.prefix(count), as: UTF8.self) else {
            throw Damage()
        }
        rest.removeFirst(count)
        return text
    }

    mutating func list<Element>(
        _ read: (inout NumberReader) throws(Damage) -> Element
    ) throws(Damage) -> [Element] {
        let count = try index()
        // An element has a byte at least.
        guard count <= rest.count else { throw Damage() }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }
}
