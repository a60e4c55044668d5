/// The title of a list item as the watch keeps it: at most 48 bytes of UTF-8, and whether it was longer.
///
/// A title that does not fit is cut before the first scalar that would cross the limit, so the bytes are always whole
/// UTF-8 sequences. It is marked as cut, so that the screen can show it.
public struct ItemTitle: Sendable, BitwiseCopyable {
    /// The most bytes a title holds.
    public static var capacity: Int { 48 }

    /// Whether the title is all there.
    public enum Completeness: UInt8, Sendable, BitwiseCopyable {
        /// The whole title fits.
        case whole = 0
        /// The title was longer and was cut at a character boundary.
        case cut = 1
    }

    private var storage: InlineArray<48, UInt8>
    private var length: UInt8
    /// Whether the title is all there.
    public private(set) var completeness: Completeness

    /// An empty title.
    public init() {
        storage = InlineArray(repeating: 0)
        length = 0
        completeness = .whole
    }

    /// A title from UTF-8 bytes, cut before the scalar that does not fit.
    ///
    /// - Parameters:
    ///   - utf8: valid UTF-8; of invalid bytes, those that follow a cut are dropped and no others, and none traps.
    ///   - completeness: `.cut` where the bytes were cut already, by a sender that knows more about characters.
    public init(utf8: Span<UInt8>, completeness: Completeness = .whole) {
        self.init()
        var count = utf8.count
        self.completeness = completeness
        if count > ItemTitle.capacity {
            count = ItemTitle.capacity
            // A byte of the form 10xxxxxx continues a scalar: step back to where that scalar begins.
            while count > 0 && utf8[count] & 0xC0 == 0x80 { count &-= 1 }
            self.completeness = .cut
        }
        for index in 0..<count { storage[index] = utf8[index] }
        length = UInt8(truncatingIfNeeded: count)
    }

    /// The number of UTF-8 bytes, 0 to 48.
    public var count: Int { Int(length) }

    /// Whether there is nothing to show.
    public var isEmpty: Bool { length == 0 }

    /// The byte at `index`, which is in `0 ..< count`.
    public subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "a title has no such byte")
        return storage[index]
    }

    /// The UTF-8 bytes, `count` of them.
    public var utf8: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: count) }
    }
}

extension ItemTitle: Equatable {
    /// Whether both titles have the same bytes and are equally complete.
    public static func == (left: ItemTitle, right: ItemTitle) -> Bool {
        guard left.length == right.length, left.completeness == right.completeness else { return false }
        for index in 0..<left.count where left.storage[index] != right.storage[index] { return false }
        return true
    }
}
