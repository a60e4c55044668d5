import WatchLink

/// The place of a record, which its checks include.
struct RecordPlace: BitwiseCopyable {
    var generation: UInt32
    var offset: Int

    /// The check of place and header, to which the payload is added.
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

/// The eight bytes at the possible start of a record.
enum RecordHeader: BitwiseCopyable {
    case blank
    case other
    /// The header's check is valid. The record's CRC is not checked yet.
    case record(kind: RecordKind, count: Int)
}

enum RecordCondition: BitwiseCopyable {
    case whole
    /// One bit had decayed, and was put right in the buffer.
    case repaired
    /// More bits are wrong, or the record was never finished.
    case damaged
}

// A record in a buffer that begins with its header.
extension FixedArray where Element == UInt8 {
    /// The payload of `count` bytes is in the buffer already.
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

    /// Checks a record with a valid header, and corrects one decayed bit outside the header.
    func verify(_ kind: RecordKind, count: Int, at place: RecordPlace) -> RecordCondition {
        let header = JournalFormat.recordHeaderSize
        return repair(header..<header + count, after: place.check(kind: kind, count: count), checkAt: 4)
    }

    /// Compares bytes with their check, the word at `offset`, which also covers `start`, and puts one decayed bit
    /// right.
    func repair(_ range: Range<Int>, after start: CRC32, checkAt offset: Int) -> RecordCondition {
        var check = start
        for index in range { check.update(self[index]) }
        let difference = check.checksum ^ word(at: offset)
        if difference == 0 { return .whole }
        // A bit of the check itself.
        if difference.nonzeroBitCount == 1 { return .repaired }
        guard let bit = CRC32.place(of: difference, inLast: range.count) else { return .damaged }
        self[range.upperBound - 1 - bit.byte] ^= bit.mask
        return .repaired
    }

    private func takePayload(_ count: Int, into check: inout CRC32) {
        for index in 0..<count { check.update(self[JournalFormat.recordHeaderSize + index]) }
    }
}

/// The kind of a record: a number in flash that is never reused. 0 and 255 belong to the journal, the others to its client; see
/// `DataRecordKind`.
///
/// The journal passes a kind of a newer version to the client like any other; see `JournalClient.replay`.
struct RecordKind: Equatable, BitwiseCopyable {
    var rawValue: UInt8

    /// The bytes before a gap record, from an offset on, are the remains of an interrupted program. If the gap is
    /// empty, all before it is whole.
    static var gap: RecordKind { RecordKind(rawValue: 0) }

    var isForClients: Bool { rawValue != 0 && rawValue != 0xFF }
}
