/// The name of a device for the other side to show: at most 32 bytes of UTF-8, perhaps none.
public struct LinkName: Sendable, BitwiseCopyable {
    private var storage: InlineArray<32, UInt8>
    private var length: UInt8

    /// The empty name.
    public init() {
        storage = InlineArray(repeating: 0)
        length = 0
    }

    /// A name from UTF-8 bytes, cut before the first scalar that does not fit.
    public init(utf8: Span<UInt8>) {
        self.init()
        let count = utf8.scalarBoundary(upTo: LinkLimits.longestName)
        for index in 0..<count { storage[index] = utf8[index] }
        length = UInt8(truncatingIfNeeded: count)
    }

    /// A name from a literal, cut likewise.
    public init(_ name: StaticString) {
        self.init(utf8: name.utf8)
    }

    /// The number of UTF-8 bytes, 0 to 32.
    public var count: Int { Int(length) }

    /// Whether there are none.
    public var isEmpty: Bool { length == 0 }

    /// The UTF-8 bytes, `count` of them.
    public var utf8: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: count) }
    }
}

extension LinkName: Equatable {
    /// Whether both have the same contents.
    public static func == (left: LinkName, right: LinkName) -> Bool { left.utf8.hasSameBytes(as: right.utf8) }
}
