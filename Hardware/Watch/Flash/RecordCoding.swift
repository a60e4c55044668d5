import WatchLink

/// Where a record is. Its checksums include this, so that old bytes at another place cannot pass for it.
struct RecordPlace: BitwiseCopyable {
    var generation: UInt32
    var offset: Int

    /// The checksum of place and header, to which the payload is then added.
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

/// What the eight bytes at a place where a record may begin are.
enum RecordHeader: BitwiseCopyable {
    case blank
    case other
    /// A header with a valid checksum. The record's own checksum is not checked yet.
    case record(kind: RecordKind, count: Int)
}

enum RecordCondition: BitwiseCopyable {
    case whole
    /// One bit was wrong, and is now corrected in the buffer.
    case repaired
    /// More than one bit is wrong, or the record was never finished.
    case damaged
}

// These read and write a record in a buffer, which begins with the header.
extension FixedArray where Element == UInt8 {
    /// Writes the header. The payload of `count` bytes is already in the buffer.
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

    /// Checks a record whose header is valid, and corrects one wrong bit outside the header.
    func verify(_ kind: RecordKind, count: Int, at place: RecordPlace) -> RecordCondition {
        let header = JournalFormat.recordHeaderSize
        return repair(header..<header + count, after: place.check(kind: kind, count: count), checkAt: 4)
    }

    /// Compares bytes with their checksum, the word at `offset`, and corrects one wrong bit.
    ///
    /// - Parameter start: the checksum of what comes before these bytes.
    func repair(_ range: Range<Int>, after start: CRC32, checkAt offset: Int) -> RecordCondition {
        var check = start
        for index in range { check.update(self[index]) }
        let difference = check.checksum ^ word(at: offset)
        if difference == 0 { return .whole }
        // A bit of the checksum itself is wrong.
        if difference.nonzeroBitCount == 1 { return .repaired }
        guard let bit = CRC32.place(of: difference, inLast: range.count) else { return .damaged }
        self[range.upperBound - 1 - bit.byte] ^= bit.mask
        return .repaired
    }

    private func takePayload(_ count: Int, into check: inout CRC32) {
        for index in 0..<count { check.update(self[JournalFormat.recordHeaderSize + index]) }
    }
}

/// The kind of a record: a number in flash that is never reused. The kinds 0 and 255 belong to the journal, and the others to
/// its client; see `DataRecordKind`.
///
/// The journal passes a kind that only a newer version knows to the client like any other; see `JournalClient.replay`.
struct RecordKind: Equatable, BitwiseCopyable {
    var rawValue: UInt8

    /// A gap record. The bytes before it, from an offset on, are the rest of an interrupted write. If the gap is empty,
    /// everything before it is whole.
    static var gap: RecordKind { RecordKind(rawValue: 0) }

    var isForClients: Bool { rawValue != 0 && rawValue != 0xFF }
}
