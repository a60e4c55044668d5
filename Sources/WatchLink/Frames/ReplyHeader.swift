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

    /// Somebody has taken the message. The value follows, where one was wanted.
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

/// The beginning of a reply frame (kind 13). Where a value was wanted and is there, one item follows.
public struct ReplyHeader: Equatable, Sendable, BitwiseCopyable {
    /// The number of the exchange.
    public var number: UInt32
    /// How it has ended.
    public var status: ReplyStatus

    /// The header of a reply.
    public init(number: UInt32, status: ReplyStatus) {
        self.number = number
        self.status = status
    }

    /// The size in bytes: the offset of the value in the frame.
    public static var size: Int { 7 }

    /// Writes the header. The value follows, if there is one.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        guard writer.room >= ReplyHeader.size else { throw .outOfSpace }
        try writer.raw(FrameKind.reply.rawValue)
        try writer.raw(0)
        try writer.raw(bigEndian: number)
        try writer.raw(status.rawValue)
    }

    /// Reads a header.
    ///
    /// - Parameter sdu: the whole frame.
    /// - Throws: `.truncated` where it is too short, `.unexpectedKind` for another kind or a flag, `.malformed` for the number 0.
    public init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard sdu.count >= ReplyHeader.size else { throw .truncated }
        guard FrameKind(rawValue: sdu[0]) == .reply, sdu[1] == 0 else { throw .unexpectedKind }
        number = UInt32(bigEndianAt: 2, in: sdu)
        status = ReplyStatus(rawValue: sdu[6])
        guard number > 0 else { throw .malformed }
    }
}
