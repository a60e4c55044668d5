/// The beginning of an interactive frame (kind 12). A name and a payload follow, as in the frames of other messages.
public struct InteractiveHeader: Equatable, Sendable, BitwiseCopyable {
    /// What the sender wants to hear.
    public enum Wish: UInt8, Sendable, BitwiseCopyable {
        /// That somebody has taken the message.
        case receipt = 0
        /// The value that somebody answers with.
        case value = 4
    }

    /// The number of the exchange: from 1 on for each side on each link.
    public var number: UInt32
    /// For how many milliseconds the sender waits from now on.
    public var patience: UInt32
    /// What the sender wants to hear.
    public var wish: Wish

    /// The header of an exchange.
    public init(number: UInt32, patience: UInt32, wish: Wish) {
        self.number = number
        self.patience = patience
        self.wish = wish
    }

    /// The size in bytes: the offset of the body in the frame.
    public static var size: Int { 10 }

    /// Writes the header. The body follows: the name as text, then the payload as one item.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        guard writer.room >= InteractiveHeader.size else { throw .outOfSpace }
        try writer.raw(FrameKind.interactive.rawValue)
        try writer.raw(wish.rawValue)
        try writer.raw(bigEndian: number)
        try writer.raw(bigEndian: patience)
    }

    /// Reads a header.
    ///
    /// - Parameter sdu: the whole frame.
    /// - Throws: `.truncated` where it is too short, `.unexpectedKind` for another kind or an unknown flag, `.malformed` for the
    ///   number 0.
    public init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard sdu.count >= InteractiveHeader.size else { throw .truncated }
        guard FrameKind(rawValue: sdu[0]) == .interactive, let wish = Wish(rawValue: sdu[1]) else {
            throw .unexpectedKind
        }
        self.wish = wish
        number = UInt32(bigEndianAt: 2, in: sdu)
        patience = UInt32(bigEndianAt: 6, in: sdu)
        guard number > 0 else { throw .malformed }
    }
}
