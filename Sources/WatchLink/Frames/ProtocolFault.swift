/// What a peer did against the protocol; sent to it as the detail of a goodbye.
public struct ProtocolFault: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The number on the wire, 1 to 255; a peer of another version may use ones without a name here.
    public let rawValue: UInt8

    /// The fault of this number, known or not.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A frame that is cut short, not well-formed, or lacks something required.
    public static var malformedFrame: ProtocolFault { ProtocolFault(rawValue: 1) }
    /// A known frame at the wrong time: a message before the hello, a second hello.
    public static var unexpectedFrame: ProtocolFault { ProtocolFault(rawValue: 2) }
    /// A frame kind or a flag that the agreed version does not support.
    public static var notSpoken: ProtocolFault { ProtocolFault(rawValue: 3) }
    /// A queued message with a later number than the next.
    public static var sequenceGap: ProtocolFault { ProtocolFault(rawValue: 4) }
    /// More queued messages without an acknowledgement than the window allows.
    public static var windowExceeded: ProtocolFault { ProtocolFault(rawValue: 5) }
    /// An acknowledgement of something that was never sent.
    public static var acknowledgedUnsent: ProtocolFault { ProtocolFault(rawValue: 6) }
    /// A frame or a message longer than the receiver said it takes.
    public static var tooLong: ProtocolFault { ProtocolFault(rawValue: 7) }
    /// The peer plays the same role.
    public static var sameRole: ProtocolFault { ProtocolFault(rawValue: 8) }
}
