/// A violation of the protocol by the peer, reported to it in a goodbye.
public struct ProtocolFault: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The number on the wire, 1 to 255; a peer of another version may use numbers without a name here.
    public let rawValue: UInt8

    /// The value of this number, with or without a name.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A frame that is cut short, not well-formed, or lacks a required field.
    public static var malformedFrame: ProtocolFault { ProtocolFault(rawValue: 1) }
    /// A known frame at the wrong time: a message before the hello, a second hello.
    public static var unexpectedFrame: ProtocolFault { ProtocolFault(rawValue: 2) }
    /// A frame kind or a flag that this version does not support.
    public static var unsupported: ProtocolFault { ProtocolFault(rawValue: 3) }
    /// A queued message whose sequence is not the next.
    public static var sequenceGap: ProtocolFault { ProtocolFault(rawValue: 4) }
    /// More queued messages without an acknowledgement than the window allows.
    public static var windowExceeded: ProtocolFault { ProtocolFault(rawValue: 5) }
    /// An acknowledgement of something that was never sent.
    public static var acknowledgedUnsent: ProtocolFault { ProtocolFault(rawValue: 6) }
    /// A frame or message longer than the receiver's limit.
    public static var tooLong: ProtocolFault { ProtocolFault(rawValue: 7) }
    /// The peer has the same role.
    public static var sameRole: ProtocolFault { ProtocolFault(rawValue: 8) }
    /// A reply to an exchange that was never begun, or a second one.
    public static var unaskedReply: ProtocolFault { ProtocolFault(rawValue: 9) }
    /// A file frame that does not fit its transfer: one that was never offered, content that is not the next or goes beyond
    /// the length, or an offset beyond what was sent.
    public static var brokenTransfer: ProtocolFault { ProtocolFault(rawValue: 10) }
}
