import WatchLink

/// A text of up to 48 bytes, composed for the screen from numbers and words. What does not fit is dropped.
///
/// Its functions are not inlined, because they have many callers and flash costs more here than time.
struct ShortText: Sendable, BitwiseCopyable {
    private var storage: InlineArray<48, UInt8>
    private var length = 0

    init() {
        storage = InlineArray(repeating: 0)
    }

    init(_ number: UInt32) {
        self.init()
        append(number)
    }

    var utf8: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: length) }
    }

    @inline(never)
    mutating func append(_ text: StaticString) {
        append(text.utf8)
    }

    @inline(never)
    mutating func append(_ text: Span<UInt8>) {
        for index in 0..<min(text.count, 48 - length) {
            storage[length] = text[index]
            length += 1
        }
    }

    /// Adds a number in decimal, padded with zeros to `digits`.
    @inline(never)
    mutating func append(_ number: UInt32, digits: Int = 1) {
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
