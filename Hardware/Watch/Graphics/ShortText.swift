import WatchLink

/// A text of up to 48 bytes, composed for the screen from numbers and words. What does not fit is dropped.
///
/// Its functions are not inlined, because they have many callers and flash costs more here than time.
public struct ShortText: Sendable, BitwiseCopyable {
    private var storage: InlineArray<48, UInt8>
    private var length = 0

    /// No text.
    public init() {
        storage = InlineArray(repeating: 0)
    }

    /// A number in decimal.
    public init(_ number: UInt32) {
        self.init()
        append(number)
    }

    package var utf8: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: length) }
    }

    /// Adds a text.
    @inline(never)
    public mutating func append(_ text: StaticString) {
        append(text.utf8)
    }

    /// Adds another text.
    public mutating func append(_ text: ShortText) {
        append(text.utf8)
    }

    @inline(never)
    mutating func append(_ text: Span<UInt8>) {
        for index in 0..<min(text.count, 48 - length) {
            storage[length] = text[index]
            length += 1
        }
    }

    /// Adds what fits of a text, at a whole character.
    @inline(never)
    mutating func appendWhole(_ text: Span<UInt8>) {
        append(text.extracting(first: text.scalarBoundary(upTo: 48 - length)))
    }

    /// Adds a number in decimal, padded with zeros to `digits`.
    @inline(never)
    public mutating func append(_ number: UInt32, digits: Int = 1) {
        var divisor: UInt32 = 1
        var count = 1
        while count < digits || number / divisor >= 10 {
            guard divisor <= 100_000_000 else { break }
            divisor *= 10
            count += 1
        }
        while divisor > 0 {
            append(digit: number / divisor % 10)
            divisor /= 10
        }
    }

    private mutating func append(digit: UInt32) {
        guard length < 48 else { return }
        storage[length] = 0x30 + UInt8(truncatingIfNeeded: digit)
        length += 1
    }
}
