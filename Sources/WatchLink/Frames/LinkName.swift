/// The name of a device as the other side may show it: at most 32 bytes of UTF-8.
public struct LinkName: Sendable, BitwiseCopyable {
    private var storage: InlineArray<32, UInt8>
    private var length: UInt8

    /// No name.
    public init() {
        storage = InlineArray(repeating: 0)
        length = 0
    }

    /// A name from UTF-8 bytes, cut before the scalar that does not fit.
    public init(utf8: Span<UInt8>) {
        self.init()
        var count = utf8.count
        if count > LinkLimits.longestName {
            count = LinkLimits.longestName
            while count > 0 && utf8[count] & 0xC0 == 0x80 { count &-= 1 }
        }
        for index in 0..<count { storage[index] = utf8[index] }
        length = UInt8(truncatingIfNeeded: count)
    }

    /// A name that is part of the program, cut likewise.
    public init(_ name: StaticString) {
        self.init()
        var count = name.utf8CodeUnitCount
        if count > LinkLimits.longestName {
            count = LinkLimits.longestName
            while count > 0 && name.utf8Start[count] & 0xC0 == 0x80 { count &-= 1 }
        }
        for index in 0..<count { storage[index] = name.utf8Start[index] }
        length = UInt8(truncatingIfNeeded: count)
    }

    /// The number of UTF-8 bytes, 0 to 32.
    public var count: Int { Int(length) }

    /// Whether there is no name.
    public var isEmpty: Bool { length == 0 }

    /// The UTF-8 bytes, `count` of them.
    public var utf8: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: count) }
    }
}

extension LinkName: Equatable {
    /// Whether both names have the same bytes.
    public static func == (left: LinkName, right: LinkName) -> Bool {
        guard left.length == right.length else { return false }
        for index in 0..<left.count where left.storage[index] != right.storage[index] { return false }
        return true
    }
}
