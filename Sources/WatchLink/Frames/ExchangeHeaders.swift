/// The beginning of an interactive frame (kind 12). A name and a payload follow, as in the frames of other messages.
package struct InteractiveHeader: Equatable, Sendable, BitwiseCopyable {
    /// What the sender wants to hear.
    package enum Wish: UInt8, Sendable, BitwiseCopyable {
        /// That somebody has taken the message.
        case receipt = 0
        /// The value that somebody answers with.
        case value = 4
    }

    /// The number of the exchange: from 1 on for each side on each link.
    package var number: UInt32
    /// For how many milliseconds the sender waits from now on.
    package var patience: UInt32
    package var wish: Wish

    package init(number: UInt32, patience: UInt32, wish: Wish) {
        self.number = number
        self.patience = patience
        self.wish = wish
    }

    /// The size in bytes: the offset of the body in the frame.
    package static var size: Int { 10 }

    /// Writes the header. The body follows: the name as text, then the payload as one item.
    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        guard writer.room >= InteractiveHeader.size else { throw .outOfSpace }
        try writer.raw(FrameKind.interactive.rawValue)
        try writer.raw(wish.rawValue)
        try writer.raw(bigEndian: number)
        try writer.raw(bigEndian: patience)
    }

    /// Reads a header.
    ///
    /// - Parameter sdu: the whole frame.
    /// - Throws: `.truncated` if it is too short, `.unexpectedKind` for another kind or an unknown flag, `.malformed` for the
    ///   number 0.
    package init(_ sdu: Span<UInt8>) throws(CBORError) {
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

/// How an exchange has ended, as a reply says.
///
/// It is a number with names and not an enum, because a peer of another version may say something else, which counts as a failure.
public struct ReplyStatus: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// The value of this number, with or without a name.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Somebody has taken the message. The value follows, if one was wanted.
    public static var answered: ReplyStatus { ReplyStatus(rawValue: 0) }
    /// Nobody answers this name.
    public static var nobody: ReplyStatus { ReplyStatus(rawValue: 1) }
    /// Whoever answers it has failed.
    public static var failed: ReplyStatus { ReplyStatus(rawValue: 2) }
    /// The time of the sender was over before there was an answer.
    public static var late: ReplyStatus { ReplyStatus(rawValue: 3) }
    /// More exchanges are open than the side takes at once.
    public static var busy: ReplyStatus { ReplyStatus(rawValue: 4) }
    /// The message cannot be read.
    public static var malformed: ReplyStatus { ReplyStatus(rawValue: 5) }
    /// The answer is longer than the sender takes.
    public static var tooLong: ReplyStatus { ReplyStatus(rawValue: 6) }
}

/// The beginning of a reply frame (kind 13). If a value was wanted and is there, one item follows.
package struct ReplyHeader: Equatable, Sendable, BitwiseCopyable {
    package var number: UInt32
    package var status: ReplyStatus

    package init(number: UInt32, status: ReplyStatus) {
        self.number = number
        self.status = status
    }

    /// The size in bytes: the offset of the value in the frame.
    package static var size: Int { 7 }

    /// Writes the header. The value follows, if there is one.
    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        guard writer.room >= ReplyHeader.size else { throw .outOfSpace }
        try writer.raw(FrameKind.reply.rawValue)
        try writer.raw(0)
        try writer.raw(bigEndian: number)
        try writer.raw(status.rawValue)
    }

    /// Reads a header.
    ///
    /// - Parameter sdu: the whole frame.
    /// - Throws: `.truncated` if it is too short, `.unexpectedKind` for another kind or a flag, `.malformed` for the number 0.
    package init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard sdu.count >= ReplyHeader.size else { throw .truncated }
        guard FrameKind(rawValue: sdu[0]) == .reply, sdu[1] == 0 else { throw .unexpectedKind }
        number = UInt32(bigEndianAt: 2, in: sdu)
        status = ReplyStatus(rawValue: sdu[6])
        guard number > 0 else { throw .malformed }
    }
}
