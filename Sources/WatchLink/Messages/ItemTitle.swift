/// The title of a list item as the watch keeps it: at most 48 bytes of UTF-8, and whether it was longer.
///
/// A longer title is cut before the first scalar that would cross the limit, so that the bytes are whole UTF-8
/// sequences, and marked as cut, so that the screen can show it.
public struct ItemTitle: Sendable, BitwiseCopyable {
    /// The most bytes of a title.
    public static var capacity: Int { 48 }

    /// Whether the title is complete.
    public enum Completeness: UInt8, Sendable, BitwiseCopyable {
        /// The whole title fits.
        case whole = 0
        /// The title was longer.
        case cut = 1
    }

    private var storage: InlineArray<48, UInt8>
    private var length: UInt8
    /// Whether the title is complete.
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
    ///   - utf8: UTF-8, which is not checked.
    ///   - completeness: `.cut` where the sender has cut the bytes already.
    public init(utf8: Span<UInt8>, completeness: Completeness = .whole) {
        self.init()
        let count = utf8.scalarBoundary(upTo: ItemTitle.capacity)
        self.completeness = count < utf8.count ? .cut : completeness
        for index in 0..<count { storage[index] = utf8[index] }
        length = UInt8(truncatingIfNeeded: count)
    }

    /// The number of UTF-8 bytes, 0 to 48.
    public var count: Int { Int(length) }

    /// Whether there are none.
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
        left.completeness == right.completeness && left.utf8.hasSameBytes(as: right.utf8)
    }
}
