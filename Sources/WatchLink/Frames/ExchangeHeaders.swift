/// The header of an interactive frame (kind 0x12). A name and a payload follow, as in the frames of other messages.
package struct InteractiveHeader: Equatable, Sendable, BitwiseCopyable {
    /// What the sender wants in the reply.
    package enum Wish: UInt8, Sendable, BitwiseCopyable {
        /// Only a receipt, which says that a listener has taken the message.
        case receipt = 0
        /// The listener's value.
        case value = 4
    }

    /// The number of the exchange. On each link, each side numbers its own exchanges from 1.
    package var number: UInt32
    /// How long the sender waits for the reply after it has sent this frame, in milliseconds.
    package var timeout: UInt32
    package var wish: Wish

    package init(number: UInt32, timeout: UInt32, wish: Wish) {
        self.number = number
        self.timeout = timeout
        self.wish = wish
    }

    package static var size: Int { 10 }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        guard writer.room >= InteractiveHeader.size else { throw .outOfSpace }
        try writer.raw(FrameKind.interactive.rawValue)
        try writer.raw(wish.rawValue)
        try writer.raw(bigEndian: number)
        try writer.raw(bigEndian: timeout)
    }

    /// Reads the header at the start of a frame.
    /// - Throws: `.truncated` if the frame is shorter than the header; `.unexpectedKind` if the frame is of another kind or has
    ///   an unknown flag; `.malformed` if the number is 0.
    package init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard sdu.count >= InteractiveHeader.size else { throw .truncated }
        guard FrameKind(rawValue: sdu[0]) == .interactive, let wish = Wish(rawValue: sdu[1]) else {
            throw .unexpectedKind
        }
        self.wish = wish
        number = UInt32(bigEndianAt: 2, in: sdu)
        timeout = UInt32(bigEndianAt: 6, in: sdu)
        guard number > 0 else { throw .malformed }
    }
}

/// How an exchange ended. An unknown number, from a peer of another version, counts as a failure.
public struct ReplyStatus: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// The status with this number. Numbers without a constant here are valid too.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A listener has taken the message. The listener's value follows, if the message asked for one.
    public static var answered: ReplyStatus { ReplyStatus(rawValue: 0) }
    /// The receiver has no listener for this name.
    public static var noListener: ReplyStatus { ReplyStatus(rawValue: 1) }
    /// The listener failed.
    public static var failed: ReplyStatus { ReplyStatus(rawValue: 2) }
    /// The sender's timeout passed before the receiver had an answer.
    public static var late: ReplyStatus { ReplyStatus(rawValue: 3) }
    /// The receiver has its maximum number of exchanges open.
    public static var busy: ReplyStatus { ReplyStatus(rawValue: 4) }
    /// The receiver cannot decode the message, or the listener expects another type.
    public static var malformed: ReplyStatus { ReplyStatus(rawValue: 5) }
    /// The answer is longer than the asking side accepts.
    public static var tooLong: ReplyStatus { ReplyStatus(rawValue: 6) }
}

/// The header of a reply frame (kind 0x13). If the message asked for a value and the listener gave one, this value follows as
/// a CBOR item.
package struct ReplyHeader: Equatable, Sendable, BitwiseCopyable {
    package var number: UInt32
    package var status: ReplyStatus

    package init(number: UInt32, status: ReplyStatus) {
        self.number = number
        self.status = status
    }

    package static var size: Int { 7 }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        guard writer.room >= ReplyHeader.size else { throw .outOfSpace }
        try writer.raw(FrameKind.reply.rawValue)
        try writer.raw(0)
        try writer.raw(bigEndian: number)
        try writer.raw(status.rawValue)
    }

    /// Reads the header at the start of a frame.
    /// - Throws: `.truncated` if the frame is shorter than the header; `.unexpectedKind` if the frame is of another kind or has
    ///   a flag; `.malformed` if the number is 0.
    package init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard sdu.count >= ReplyHeader.size else { throw .truncated }
        guard FrameKind(rawValue: sdu[0]) == .reply, sdu[1] == 0 else { throw .unexpectedKind }
        number = UInt32(bigEndianAt: 2, in: sdu)
        status = ReplyStatus(rawValue: sdu[6])
        guard number > 0 else { throw .malformed }
    }
}
