/// The first byte of every frame. PROTOCOL.md has the layouts. A peer of another version may send other kinds.
public struct FrameKind: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// The kind with this number. Numbers without a constant here are valid too.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Says who a side is, what it can receive, and which messages it has issued and applied. It is the first frame in each
    /// direction.
    public static var hello: FrameKind { FrameKind(rawValue: 0x01) }
    /// The last frame of a side. It says why the side closes the link.
    public static var goodbye: FrameKind { FrameKind(rawValue: 0x02) }
    /// A request to send a pong at once.
    public static var ping: FrameKind { FrameKind(rawValue: 0x03) }
    /// The answer to a ping.
    public static var pong: FrameKind { FrameKind(rawValue: 0x04) }
    /// Says which of the peer's messages the sender has applied.
    public static var acknowledgement: FrameKind { FrameKind(rawValue: 0x05) }
    /// A value that replaces the older value with the same name.
    public static var latest: FrameKind { FrameKind(rawValue: 0x10) }
    /// A message to apply exactly once and in order.
    public static var queued: FrameKind { FrameKind(rawValue: 0x11) }
    /// A message that is delivered at once or never. The receiver sends a reply.
    public static var interactive: FrameKind { FrameKind(rawValue: 0x12) }
    /// The reply to an interactive message.
    public static var reply: FrameKind { FrameKind(rawValue: 0x13) }
    /// A queued message that counts against its sender's budget of complication pushes.
    public static var complication: FrameKind { FrameKind(rawValue: 0x14) }
    /// A step of a file transfer.
    public static var file: FrameKind { FrameKind(rawValue: 0x15) }

    /// Whether the session itself handles the frame, without the application.
    public var isControl: Bool { rawValue >= 0x01 && rawValue <= 0x05 }
}

/// How a session delivers a message. In each direction, latest values and queued messages are numbered separately.
public enum LinkDelivery: UInt8, Sendable, BitwiseCopyable {
    /// A message with this delivery is called a latest value. Only the newest value under a name matters, so the sender may
    /// skip older values. The number of a value is its revision. Revisions ascend, with gaps.
    case latest = 0x10
    /// The message is applied exactly once and in order. Its number is its sequence. Sequences ascend, without gaps.
    case queued = 0x11
}

/// A violation of the protocol by the peer. A goodbye reports it to the peer.
public struct ProtocolFault: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The number on the wire, 1 to 255; a peer of another version may use numbers without a constant here.
    public let rawValue: UInt8

    /// The fault with this number. Numbers without a constant here are valid too.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A frame that is cut short, that is not well-formed, or that lacks a required field.
    public static var malformedFrame: ProtocolFault { ProtocolFault(rawValue: 1) }
    /// A known frame at the wrong time, such as a message before the hello or a second hello.
    public static var unexpectedFrame: ProtocolFault { ProtocolFault(rawValue: 2) }
    /// A frame kind or a flag that this version does not support.
    public static var unsupported: ProtocolFault { ProtocolFault(rawValue: 3) }
    /// A gap in the sequences of queued messages. Also an exchange or a file offer whose number is not the previous number
    /// plus 1.
    public static var sequenceGap: ProtocolFault { ProtocolFault(rawValue: 4) }
    /// The peer sends more file chunks than the window allows, or does not read the replies and file answers sent to it.
    public static var windowExceeded: ProtocolFault { ProtocolFault(rawValue: 5) }
    /// An acknowledgement of a message that was never issued.
    public static var acknowledgedUnsent: ProtocolFault { ProtocolFault(rawValue: 6) }
    /// A frame or message longer than the receiver's limit.
    public static var tooLong: ProtocolFault { ProtocolFault(rawValue: 7) }
    /// Both sides are watches, or both are phones.
    public static var sameRole: ProtocolFault { ProtocolFault(rawValue: 8) }
    /// A reply to an exchange that was never begun on this link, or a second reply to the same exchange.
    public static var unaskedReply: ProtocolFault { ProtocolFault(rawValue: 9) }
    /// A file frame that does not fit its transfer. Examples: the transfer was never offered, a chunk is not the next part or
    /// exceeds the file's length, or the receiver names an offset beyond the bytes that were sent.
    public static var brokenTransfer: ProtocolFault { ProtocolFault(rawValue: 10) }
}
