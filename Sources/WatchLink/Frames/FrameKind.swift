/// The first byte of every frame. PROTOCOL.md has the layouts.
///
/// The bytes are chosen by this protocol and other versions know other ones, so this is a number with names rather than
/// an enum: what a peer sends stays readable in a report.
public struct FrameKind: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// The kind that this byte stands for, known or not.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Who a side is, and how far its streams have come. The first frame in either direction.
    public static var hello: FrameKind { FrameKind(rawValue: 0x01) }
    /// The last frame of a side: why it closes the link.
    public static var goodbye: FrameKind { FrameKind(rawValue: 0x02) }
    /// A request for a sign of life. The peer answers with a pong at once.
    public static var ping: FrameKind { FrameKind(rawValue: 0x03) }
    /// The answer to a ping.
    public static var pong: FrameKind { FrameKind(rawValue: 0x04) }
    /// How far a side has applied what its peer sent.
    public static var acknowledgement: FrameKind { FrameKind(rawValue: 0x05) }
    /// A value that replaces the older one under its name.
    public static var latest: FrameKind { FrameKind(rawValue: 0x10) }
    /// A message that is applied exactly once and in order.
    public static var queued: FrameKind { FrameKind(rawValue: 0x11) }
    /// A message that is delivered at once or never, perhaps with a reply. Reserved; not supported in version 1.
    public static var interactive: FrameKind { FrameKind(rawValue: 0x12) }
    /// The reply to an interactive message. Reserved; not supported in version 1.
    public static var reply: FrameKind { FrameKind(rawValue: 0x13) }
    /// A queued message charged to the complication budget. Reserved; not supported in version 1.
    public static var complication: FrameKind { FrameKind(rawValue: 0x14) }
    /// A part of a file transfer. Reserved; not supported in version 1.
    public static var file: FrameKind { FrameKind(rawValue: 0x15) }

    /// Whether this is a control frame, which the session sends and reads itself.
    public var isControl: Bool { rawValue >= 0x01 && rawValue <= 0x05 }
}

/// The deliveries that a session carries, each with a sequence of its own in either direction.
public enum LinkDelivery: UInt8, Sendable, BitwiseCopyable {
    /// Only the newest value under a name matters; older ones may never be sent. Numbered by revision.
    case latest = 0x10
    /// Applied exactly once, in order, with no number left out. Numbered by sequence.
    case queued = 0x11
}
