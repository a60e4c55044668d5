/// A text of up to 48 bytes that is put together for the screen: numbers with their words. What does not fit is dropped.
///
/// Its functions stay out of line: they are called from many places, and flash is dearer here than time.
public struct ShortText: Sendable, BitwiseCopyable {
    private var storage: InlineArray<48, UInt8>
    private var length = 0

    /// An empty text.
    public init() {
        storage = InlineArray(repeating: 0)
    }

    /// The text of a number.
    public init(_ number: UInt32) {
        self.init()
        append(number)
    }

    /// The UTF-8 bytes.
    public var utf8: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: length) }
    }

    /// Adds a literal.
    @inline(never)
    public mutating func append(_ text: StaticString) {
        append(text.utf8)
    }

    /// Adds UTF-8 bytes.
    @inline(never)
    public mutating func append(_ text: Span<UInt8>) {
        for index in 0..<min(text.count, 48 - length) {
            storage[length] = text[index]
            length += 1
        }
    }

    /// Adds a number in decimal digits, with zeroes before it where it has fewer than `digits`.
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
