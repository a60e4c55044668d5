/// What a file frame says.
public enum FileStep: Equatable, Sendable, BitwiseCopyable {
    /// The sender has a file. A `FileOffer` follows.
    case offer
    /// The receiver wants the content from this offset on.
    case resume(from: UInt64)
    /// Content that belongs at this offset follows, 1 byte or more.
    case chunk(at: UInt64)
    /// The sender ends the transfer.
    case cancel(FileReason)
    /// The receiver has stored the file, and its hash is right.
    case done
    /// The receiver has written everything below this offset.
    case progress(to: UInt64)
    /// The receiver ends the transfer.
    case refusal(FileReason)

    /// The byte on the wire.
    var code: UInt8 {
        switch self {
        case .offer: 0
        case .resume: 1
        case .chunk: 2
        case .cancel: 3
        case .done: 4
        case .progress: 5
        case .refusal: 6
        }
    }
}

/// The beginning of a file frame (kind 15): all of it but an offer's map and a chunk's content.
public struct FileHeader: Equatable, Sendable, BitwiseCopyable {
    /// The number of the transfer: from 1 on for each side's own on each link.
    public var number: UInt32
    /// What the frame says.
    public var step: FileStep

    /// The header of a step of the transfer with this number.
    public init(number: UInt32, step: FileStep) {
        self.number = number
        self.step = step
    }

    /// The size in bytes of a header without an offset: the offset of an offer's map in the frame.
    public static var size: Int { 7 }

    /// The size in bytes of a header with an offset: the offset of a chunk's content in the frame.
    public static var longestSize: Int { 15 }

    /// Writes the header. The map of an offer or the content of a chunk follows.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        guard writer.room >= FileHeader.size else { throw .outOfSpace }
        try writer.raw(FrameKind.file.rawValue)
        try writer.raw(0)
        try writer.raw(bigEndian: number)
        try writer.raw(step.code)
        switch step {
        case .offer, .done: break
        case .cancel(let reason), .refusal(let reason): try writer.raw(reason.rawValue)
        case .resume(let offset), .chunk(let offset), .progress(let offset):
            try writer.raw(bigEndian: offset.highWord)
            try writer.raw(bigEndian: offset.lowWord)
        }
    }

    /// Reads a header.
    ///
    /// - Parameter sdu: the whole frame.
    /// - Throws: `.truncated` where it is too short, `.unexpectedKind` for another kind, a flag or an unknown step, `.malformed` for the
    ///   number 0 and for bytes after a step that has none.
    public init(_ sdu: Span<UInt8>) throws(CBORError) {
        guard sdu.count >= FileHeader.size else { throw .truncated }
        guard FrameKind(rawValue: sdu[0]) == .file, sdu[1] == 0 else { throw .unexpectedKind }
        number = UInt32(bigEndianAt: 2, in: sdu)
        guard number > 0 else { throw .malformed }
        switch sdu[6] {
        case 0: step = .offer
        case 1: step = .resume(from: try FileHeader.offset(sdu))
        case 2: step = .chunk(at: try FileHeader.offset(sdu))
        case 3: step = .cancel(try FileHeader.reason(sdu))
        case 4: step = .done
        case 5: step = .progress(to: try FileHeader.offset(sdu))
        case 6: step = .refusal(try FileHeader.reason(sdu))
        default: throw .unexpectedKind
        }
        switch step {
        case .offer: break
        case .chunk: guard sdu.count > FileHeader.longestSize else { throw .truncated }
        case .resume, .progress: guard sdu.count == FileHeader.longestSize else { throw .malformed }
        case .cancel, .refusal: guard sdu.count == FileHeader.size &+ 1 else { throw .malformed }
        case .done: guard sdu.count == FileHeader.size else { throw .malformed }
        }
    }

    private static func offset(_ sdu: Span<UInt8>) throws(CBORError) -> UInt64 {
        guard sdu.count >= FileHeader.longestSize else { throw .truncated }
        return UInt64(high: UInt32(bigEndianAt: 7, in: sdu), low: UInt32(bigEndianAt: 11, in: sdu))
    }

    private static func reason(_ sdu: Span<UInt8>) throws(CBORError) -> FileReason {
        guard sdu.count > FileHeader.size else { throw .truncated }
        return FileReason(rawValue: sdu[7])
    }
}
