/// What a side is able to receive, as its hello says.
public struct LinkLimits: Equatable, Sendable, BitwiseCopyable {
    /// The longest frame in bytes: the size of the receive buffer, at least `smallestSDU`.
    public var largestSDU: UInt32
    /// The longest message body in bytes, name included.
    public var largestMessage: UInt32
    /// The window: queued messages that the peer may send without an acknowledgement, 1 or more.
    public var window: UInt16
    /// The kinds of message frames that it takes besides latest and queued ones.
    public var kinds = LinkKinds.none

    /// - Parameters:
    ///   - largestSDU: bytes of the receive buffer. Traps below `smallestSDU`.
    ///   - largestMessage: bytes, at most what a frame of `largestSDU` bytes holds; a larger value is reduced to that.
    ///   - window: queued messages without an acknowledgement; a value outside 1 to 8 is brought into that range.
    public init(largestSDU: UInt32, largestMessage: UInt32 = .max, window: UInt16 = LinkLimits.largestWindow) {
        precondition(largestSDU >= LinkLimits.smallestSDU, "a receive buffer holds at least the longest control frame")
        self.largestSDU = largestSDU
        self.largestMessage = min(largestMessage, largestSDU - UInt32(truncatingIfNeeded: MessageHeader.size))
        self.window = min(max(window, 1), LinkLimits.largestWindow)
    }

    /// The least that a transport or a receive buffer may hold: 128 bytes, because control frames are never divided and
    /// the longest, a hello with a name of 32 bytes and the largest numbers, takes 128.
    public static var smallestSDU: UInt32 { 128 }
    /// The longest control frame in bytes: what the smallest transport carries.
    public static var longestControlFrame: Int { 128 }
    /// The longest name of a message or a device: 32 bytes of UTF-8.
    public static var longestName: Int { 32 }
    /// The largest window that this implementation allows and uses: 8 queued messages without an acknowledgement.
    public static var largestWindow: UInt16 { 8 }
    /// The most rejections in one acknowledgement.
    public static var mostRejections: Int { 8 }
}
