import WatchLink

/// The position of a record: the bank's generation, and the offset in the bank. The record's checksums include both. So the
/// bytes of an earlier generation, or of another offset, cannot pass for the record.
struct RecordPlace: BitwiseCopyable {
    var generation: UInt32
    var offset: Int

    /// Computes a checksum of the position, kind and length. For the checksum of the whole record, the caller adds the payload.
    func check(kind: RecordKind, count: Int) -> CRC32 {
        var check = CRC32()
        check.update(word: generation)
        check.update(word: UInt32(truncatingIfNeeded: offset))
        check.update(kind.rawValue)
        check.update(UInt8(truncatingIfNeeded: count))
        check.update(UInt8(truncatingIfNeeded: count &>> 8))
        return check
    }
}

/// The meaning of the eight bytes at an offset where a record may begin.
enum RecordHeader: BitwiseCopyable {
    case blank
    case other
    /// The header's checksum is valid. The checksum of the whole record is compared later.
    case record(kind: RecordKind, count: Int)
}

enum RecordCondition: BitwiseCopyable {
    case whole
    /// One bit was wrong, and is now corrected in the buffer.
    case repaired
    /// More than one bit is wrong, or the record was never finished.
    case damaged
}

// A record in a buffer that begins with the record's header.
extension FixedArray where Element == UInt8 {
    /// Adds the header and the checksums. The payload of `count` bytes must already be in the buffer.
    func seal(_ kind: RecordKind, count: Int, at place: RecordPlace) {
        var check = place.check(kind: kind, count: count)
        self[0] = kind.rawValue
        self[1] = UInt8(truncatingIfNeeded: check.checksum)
        self[2] = UInt8(truncatingIfNeeded: count)
        self[3] = UInt8(truncatingIfNeeded: count &>> 8)
        takePayload(count, into: &check)
        put(check.checksum, at: 4)
    }

    func recordHeader(at place: RecordPlace) -> RecordHeader {
        guard !isBlank(0..<JournalFormat.recordHeaderSize) else { return .blank }
        let kind = RecordKind(rawValue: self[0])
        let count = Int(self[2]) | Int(self[3]) &<< 8
        guard kind.rawValue != 0xFF, count <= JournalFormat.maximumPayload,
            self[1] == UInt8(truncatingIfNeeded: place.check(kind: kind, count: count).checksum)
        else { return .other }
        return .record(kind: kind, count: count)
    }

    /// Compares a record with its checksum, and corrects one wrong bit outside the header. The header must be valid.
    func verify(_ kind: RecordKind, count: Int, at place: RecordPlace) -> RecordCondition {
        let header = JournalFormat.recordHeaderSize
        return repair(header..<header + count, after: place.check(kind: kind, count: count), checkAt: 4)
    }

    /// Compares bytes with the checksum at `offset`, and corrects one wrong bit. The parameter `start` is the checksum of the
    /// data before these bytes.
    func repair(_ range: Range<Int>, after start: CRC32, checkAt offset: Int) -> RecordCondition {
        var check = start
        for index in range { check.update(self[index]) }
        let difference = check.checksum ^ word(at: offset)
        if difference == 0 { return .whole }
        // The wrong bit is in the checksum itself.
        if difference.nonzeroBitCount == 1 { return .repaired }
        guard let bit = CRC32.place(of: difference, inLast: range.count) else { return .damaged }
        self[range.upperBound - 1 - bit.byte] ^= bit.mask
        return .repaired
    }

    private func takePayload(_ count: Int, into check: inout CRC32) {
        for index in 0..<count { check.update(self[JournalFormat.recordHeaderSize + index]) }
    }
}

/// The number of a record's kind in flash. The journal reserves 0 (a gap record) and 255 (erased flash). The journal's client
/// uses the other numbers; see `DataRecordKind`.
struct RecordKind: Equatable, BitwiseCopyable {
    var rawValue: UInt8

    static var gap: RecordKind { RecordKind(rawValue: 0) }

    var isForClients: Bool { rawValue != 0 && rawValue != 0xFF }
}
