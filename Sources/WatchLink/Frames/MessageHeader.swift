/// The flags of a message frame.
public struct MessageFlags: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The byte on the wire. Bits 5 to 7 are 0.
    public let rawValue: UInt8

    /// The value of this number, with or without a name.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A whole message with a value.
    public static var none: MessageFlags { MessageFlags(rawValue: 0) }
    /// Bit 0: the frame is a fragment. Reserved; not supported yet.
    public static var fragment: MessageFlags { MessageFlags(rawValue: 1) }
    /// Bit 1: more fragments follow. Reserved; not supported yet.
    public static var moreFragments: MessageFlags { MessageFlags(rawValue: 2) }
    /// Bit 3: there is no value. A latest value is cleared; a queued message was withdrawn before it was sent.
    public static var noValue: MessageFlags { MessageFlags(rawValue: 8) }
    /// Bit 4: the origin of a queued message follows its number.
    static var origin: UInt8 { 16 }
}

/// What a queued message is charged to: its kind byte says that, and no more. The message is delivered as any queued one is, so
/// its header is the same.
public enum MessageCharge: Sendable, BitwiseCopyable {
    /// Nothing.
    case nothing
    /// The budget of complication pushes.
    case complication

    /// What a frame of this kind is charged to.
    public init(_ kind: FrameKind) {
        self = kind == .complication ? .complication : .nothing
    }
}

/// The beginning of a message frame: kind, flags, number, and the origin of a queued message of an earlier epoch.
public struct MessageHeader: Equatable, Sendable, BitwiseCopyable {
    /// How the message is delivered, and so whose numbers it has.
    public var delivery: LinkDelivery
    /// Whether there is a value. The bit for the origin is not among them.
    public var flags: MessageFlags
    /// The sequence of a queued message or the revision of a latest value, from 1 on within an epoch.
    public var sequence: UInt32
    /// The epoch in which a queued message was issued, where that is not the sender's present one. Epoch and sequence
    /// are the name of the message for good: a receiver that has applied it recognises it, whatever its sender has lost.
    public var origin: UInt32?

    /// The header of a message with a value, or with `.noValue` of one without.
    public init(
        _ delivery: LinkDelivery, sequence: UInt32, flags: MessageFlags = .none, origin: UInt32? = nil
    ) {
        self.delivery = delivery
        self.sequence = sequence
        self.flags = flags
        self.origin = origin
    }

    /// The size in bytes of a header without an origin.
    public static var size: Int { 6 }

    /// The most bytes of a header that a side sends: a watch names the epoch of what it issued before its last start.
    public static func largestSize(from role: LinkRole) -> Int {
        switch role {
        case .watch: MessageHeader.size &+ 4
        case .phone: MessageHeader.size
        }
    }

    /// The size of this header in bytes: the offset of the body in the frame.
    public var encodedSize: Int { origin == nil ? MessageHeader.size : MessageHeader.size &+ 4 }

    /// Whether the frame has a value.
    public var hasValue: Bool { flags != .noValue }

    /// Writes the header. The body follows: the name as text, then the payload as one item.
    ///
    /// - Parameter charge: of a queued message.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter, charge: MessageCharge = .nothing) throws(CBORError) {
        guard writer.room >= encodedSize else { throw .outOfSpace }
        switch charge {
        case .nothing: try writer.raw(delivery.rawValue)
        case .complication: try writer.raw(FrameKind.complication.rawValue)
        }
        try writer.raw(origin == nil ? flags.rawValue : flags.rawValue | MessageFlags.origin)
        try writer.raw(bigEndian: sequence)
        if let origin { try writer.raw(bigEndian: origin) }
    }

    /// Reads a header.
    ///
    /// - Parameter sdu: the whole frame.
    /// - Throws: `.truncated` where it is too short, `.unexpectedKind` for a kind or flag that is not
    ///   supported, `.malformed` for the number 0 and the origin 0, which are never used.
    public init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard sdu.count >= MessageHeader.size else { throw .truncated }
        let kind = FrameKind(rawValue: sdu[0])
        guard let delivery = LinkDelivery(rawValue: (kind == .complication ? .queued : kind).rawValue) else {
            throw .unexpectedKind
        }
        self.delivery = delivery
        flags = MessageFlags(rawValue: sdu[1] & ~MessageFlags.origin)
        guard flags == .none || flags == .noValue else { throw .unexpectedKind }
        sequence = UInt32(bigEndianAt: 2, in: sdu)
        guard sequence > 0 else { throw .malformed }
        guard sdu[1] & MessageFlags.origin != 0 else { return }
        guard delivery == .queued else { throw .unexpectedKind }
        guard sdu.count >= MessageHeader.size &+ 4 else { throw .truncated }
        let epoch = UInt32(bigEndianAt: MessageHeader.size, in: sdu)
        guard epoch > 0 else { throw .malformed }
        origin = epoch
    }
}
