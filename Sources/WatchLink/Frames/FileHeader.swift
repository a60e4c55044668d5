package enum FileStep: Equatable, Sendable, BitwiseCopyable {
    /// The sender offers a file. A `FileOffer` follows.
    case offer
    /// The receiver wants the content from this offset on.
    case resume(from: UInt64)
    /// The next part of the content follows, 1 byte or more. Its first byte belongs at this offset of the file.
    case chunk(at: UInt64)
    case cancel(FileReason)
    /// The receiver has stored the file, and its hash matches.
    case done
    /// The receiver has written everything below this offset.
    case progress(to: UInt64)
    case refusal(FileReason)

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

/// The header of a file frame (kind 0x15): the whole frame except an offer's map and a chunk's content.
package struct FileHeader: Equatable, Sendable, BitwiseCopyable {
    /// The number of the transfer. On each link, each side numbers its own transfers from 1.
    package var number: UInt32
    package var step: FileStep

    package init(number: UInt32, step: FileStep) {
        self.number = number
        self.step = step
    }

    /// The size in bytes of the shortest header. An offer's map begins at this offset.
    package static var size: Int { 7 }

    /// The size in bytes of a header with a file offset. A chunk's content begins at this offset.
    package static var longestSize: Int { 15 }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
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

    /// Reads the header of a frame. `sdu` is the whole frame, so that its length can be checked.
    /// - Throws: `.truncated` if the frame is too short for its step; `.unexpectedKind` for another kind, a flag or an unknown
    ///   step; `.malformed` if the number is 0 or the frame is too long for its step.
    package init(_ sdu: Span<UInt8>) throws(CBORError) {
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

/// The description of an offered file. It is the map that follows the header of an offer.
package struct FileOffer: ~Escapable {
    /// The name of the file in UTF-8. This type does not check that it is a valid file name; the receiver does.
    package let label: Span<UInt8>
    /// The length of the content in bytes.
    package let length: UInt64
    /// The SHA-256 of the content, 32 bytes.
    package let hash: Span<UInt8>
    /// What the sending program says about the file: one well-formed CBOR item, or no bytes if it says nothing.
    package let metadata: Span<UInt8>
    /// A random number that identifies the transfer, not 0. The sender keeps it across links and restarts.
    package let transfer: UInt64

    package static var hashSize: Int { 32 }

    /// Traps if `hash` does not have 32 bytes, or if `transfer` is 0.
    @_lifetime(copy label, copy hash, copy metadata)
    package init(
        label: Span<UInt8>, length: UInt64, hash: Span<UInt8>, metadata: Span<UInt8>, transfer: UInt64
    ) {
        precondition(hash.count == FileOffer.hashSize, "a SHA-256 has 32 bytes")
        precondition(transfer != 0, "no transfer is 0")
        self.label = label
        self.length = length
        self.hash = hash
        self.metadata = metadata
        self.transfer = transfer
    }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: metadata.isEmpty ? 4 : 5)
        try writer.unsigned(0 as UInt32)
        try writer.text(label)
        try writer.unsigned(1 as UInt32)
        try writer.unsigned(length)
        try writer.unsigned(2 as UInt32)
        try writer.bytes(hash)
        if !metadata.isEmpty {
            try writer.unsigned(3 as UInt32)
            try writer.raw(metadata)
        }
        try writer.unsigned(4 as UInt32)
        try writer.unsigned(transfer)
    }

    /// Reads the map of an offer. `sdu` is the whole frame; its header is skipped without a check.
    /// - Throws: the errors of decoding the map; `.malformed` if a required key is missing, if bytes follow the map, if the
    ///   hash does not have 32 bytes, or if the transfer is 0.
    @_lifetime(copy sdu)
    package init(_ sdu: Span<UInt8>) throws(CBORError) {
        let map = sdu.extracting(min(FileHeader.size, sdu.count)..<sdu.count)
        var reader = CBORReader(map)
        var fields = try CBORFields(&reader)
        var (label, hash, metadata) = (map, map, map.extracting(first: 0))
        var (length, transfer) = (UInt64(word: 0), UInt64(word: 0))
        while let key = try fields.next(&reader) {
            switch key {
            case 0: label = try reader.text()
            case 1: length = try reader.unsigned()
            case 2: hash = try reader.bytes()
            case 3:
                let start = reader.offset
                try reader.skip()
                metadata = map.extracting(start..<reader.offset)
            case 4: transfer = try reader.unsigned()
            default: try reader.skip()
            }
        }
        try fields.require(0b1_0111)
        try reader.expectEnd()
        guard hash.count == FileOffer.hashSize, transfer != 0 else { throw .malformed }
        self.init(label: label, length: length, hash: hash, metadata: metadata, transfer: transfer)
    }
}

/// Why a side cancels or refuses a file transfer. Every reason except `.busy` ends the transfer, even an unknown reason from a
/// peer of another version.
public struct FileReason: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// The reason with this number. Numbers without a constant here are valid too.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The side that sends this reason cancelled the transfer.
    public static var cancelled: FileReason { FileReason(rawValue: 0) }
    /// The receiver's disk is full.
    public static var noRoom: FileReason { FileReason(rawValue: 1) }
    /// The content that arrived does not match the offer's hash.
    public static var wrongHash: FileReason { FileReason(rawValue: 2) }
    /// No program on the receiving side takes files.
    public static var noReceiver: FileReason { FileReason(rawValue: 3) }
    /// The file is longer than the receiver accepts.
    public static var tooLarge: FileReason { FileReason(rawValue: 4) }
    /// The receiver already has its maximum number of transfers open, or this transfer is open already. The sender offers the
    /// file again later.
    public static var busy: FileReason { FileReason(rawValue: 5) }
    /// The side that sends this reason cannot read or store the file.
    public static var failed: FileReason { FileReason(rawValue: 6) }
    /// The label is not a valid file name.
    public static var badLabel: FileReason { FileReason(rawValue: 7) }
}
