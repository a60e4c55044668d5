/// The flags of a message frame.
public struct MessageFlags: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The byte on the wire. Bits 4 to 7 are 0.
    public let rawValue: UInt8

    /// The value of this number, with or without a name.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A whole message with a value.
    public static var none: MessageFlags { MessageFlags(rawValue: 0) }
    /// Bit 0: the frame is a fragment. Reserved; not supported in version 1.
    public static var fragment: MessageFlags { MessageFlags(rawValue: 1) }
    /// Bit 1: more fragments follow. Reserved; not supported in version 1.
    public static var moreFragments: MessageFlags { MessageFlags(rawValue: 2) }
    /// Bit 2: the sender of an interactive message waits for a reply. Reserved; not supported in version 1.
    public static var replyWanted: MessageFlags { MessageFlags(rawValue: 4) }
    /// Bit 3: there is no value. A latest value is cleared; a queued message was withdrawn before it was sent.
    public static var noValue: MessageFlags { MessageFlags(rawValue: 8) }
}

/// The first six bytes of a message frame: kind, flags and number.
public struct MessageHeader: Equatable, Sendable, BitwiseCopyable {
    /// The kind byte of the frame.
    public var delivery: LinkDelivery
    /// Whether there is a value, in version 1.
    public var flags: MessageFlags
    /// The sequence of a queued message or the revision of a latest value, from 1 on within an epoch.
    public var sequence: UInt32

    /// The header of a message with a value, or with `.noValue` of one without.
    public init(_ delivery: LinkDelivery, sequence: UInt32, flags: MessageFlags = .none) {
        self.delivery = delivery
        self.sequence = sequence
        self.flags = flags
    }

    /// The size of a header in bytes: the offset of the body in the frame.
    public static var size: Int { 6 }

    /// Whether the frame has a value.
    public var hasValue: Bool { flags != .noValue }

    /// Writes the header. The body follows: the name as text, then the payload as one item.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        guard writer.room >= MessageHeader.size else { throw .outOfSpace }
        try writer.raw(delivery.rawValue)
        try writer.raw(flags.rawValue)
        try writer.raw(bigEndian: sequence)
    }

    /// Reads a header.
    ///
    /// - Parameter sdu: the whole frame.
    /// - Throws: `.truncated` where it is too short, `.unexpectedKind` for a kind or flag that version 1 does not
    ///   support, `.malformed` for the number 0, which is never used.
    public init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard sdu.count >= MessageHeader.size else { throw .truncated }
        guard let delivery = LinkDelivery(rawValue: sdu[0]) else { throw .unexpectedKind }
        self.delivery = delivery
        flags = MessageFlags(rawValue: sdu[1])
        guard flags == .none || flags == .noValue else { throw .unexpectedKind }
        sequence = UInt32(bigEndianAt: 2, in: sdu)
        guard sequence > 0 else { throw .malformed }
    }
}
