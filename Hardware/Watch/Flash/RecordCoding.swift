import WatchLink

/// A place in flash that a record's checks include: which generation of the journal, and where in the bank.
struct RecordPlace: Sendable, BitwiseCopyable {
    var generation: UInt32
    var offset: Int

    /// A check that has taken the place and what a record's header says.
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

/// What the eight bytes look like in which a record would begin.
enum RecordHeader: Sendable, BitwiseCopyable {
    /// All erased.
    case blank
    /// No record begins here.
    case other
    /// Very likely a record; the CRC over all of it will tell.
    case record(kind: RecordKind, count: Int)
}

/// Building and reading of one record in a buffer that begins with its header.
extension FixedArray where Element == UInt8 {
    /// Puts the header in front of a payload of `count` bytes that is there already.
    func seal(_ kind: RecordKind, count: Int, at place: RecordPlace) {
        var check = place.check(kind: kind, count: count)
        self[0] = kind.rawValue
        self[1] = UInt8(truncatingIfNeeded: check.checksum)
        self[2] = UInt8(truncatingIfNeeded: count)
        self[3] = UInt8(truncatingIfNeeded: count &>> 8)
        takePayload(count, into: &check)
        put(check.checksum, at: 4)
    }

    /// What the header says, as far as that can be told without the payload.
    func recordHeader(at place: RecordPlace) -> RecordHeader {
        guard !isBlank(0..<JournalFormat.recordHeaderSize) else { return .blank }
        let kind = RecordKind(rawValue: self[0])
        let count = Int(self[2]) | Int(self[3]) &<< 8
        guard kind.rawValue != 0xFF, count <= JournalFormat.maximumPayload,
            self[1] == UInt8(truncatingIfNeeded: place.check(kind: kind, count: count).checksum)
        else { return .other }
        return .record(kind: kind, count: count)
    }

    /// Whether the CRC fits what is in the buffer.
    func isWhole(_ kind: RecordKind, count: Int, at place: RecordPlace) -> Bool {
        var check = place.check(kind: kind, count: count)
        takePayload(count, into: &check)
        return check.checksum == word(at: 4)
    }

    private func takePayload(_ count: Int, into check: inout CRC32) {
        for index in 0..<count { check.update(self[JournalFormat.recordHeaderSize + index]) }
    }
}
