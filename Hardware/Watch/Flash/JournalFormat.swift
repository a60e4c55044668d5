import WatchLink

// The layout of a bank, version 1. Words are little-endian, offsets count from the bank's first byte.
//
//     0  prepared mark, 8 bytes: programmed when every sector of the bank has been erased
//     8  8 bytes left erased
//    16  header, 16 bytes, twice: "TLJ1" as a word, version (1 byte), three zeros, generation, CRC-32 of the 12 bytes
//        before it. Programmed when a snapshot into the bank begins.
//    48  commit word, 8 bytes, twice: offset of the snapshot's end, CRC-32 of generation and that offset. Programmed
//        last; it makes the bank the active one if its generation is the newest.
//    64  records
//
// There are two headers and commit words, so that a decayed byte does not cost the bank. One decayed bit in each of
// both does not either, because the check tells which one it is. The check of a commit word also tells the generation,
// so that commit words make up for headers with many decayed bits. Place and format of both are the same in every later
// version, so that each can find the newest bank.
//
// A record begins at a multiple of 8: kind (1 byte), check of the header (1 byte), payload length (2 bytes), CRC-32,
// payload. Both checks include generation and offset, so that neither bytes of a title nor the remains of an earlier
// generation at the same place can pass for a record when the log is searched for the next whole one.
//
// A gap record, kind 0, has an offset: from there to its own are the remains of an interrupted program. Other bytes
// before it that are no record have decayed. So an empty gap, with its own offset, attests that the records before it
// are whole.

enum JournalFormat {
    static var version: UInt8 { 1 }
    /// The most bits of a header's 128 that may have decayed in both copies. The header of another generation, which
    /// fits a commit word with one decayed bit, differs in about 17.
    static var mostHeaderBits: Int { 12 }
    static var magic: UInt32 { 0x314A_4C54 }
    static var preparedMark: (UInt32, UInt32) { (0x5245_4C54, 0x5044_5950) }

    static var preparedOffset: Int { 0 }
    static var preparedSize: Int { 8 }
    static var headerOffset: Int { 16 }
    static var headerSize: Int { 16 }
    static var commitOffset: Int { 48 }
    static var commitSize: Int { 8 }
    static var recordsOffset: Int { 64 }

    static var recordHeaderSize: Int { 8 }
    static var alignment: Int { 8 }
    static var maximumPayload: Int { 512 }
    static var bufferSize: Int { recordHeaderSize + maximumPayload }
    static var gapSize: Int { 4 }

    /// The size of a record with a payload of `count` bytes.
    static func stride(_ count: Int) -> Int {
        (recordHeaderSize + count + alignment - 1) / alignment * alignment
    }
}

enum BankContents: BitwiseCopyable {
    /// Never used, being erased, or an unfinished snapshot.
    case unusable
    /// Erased throughout, ready for a snapshot.
    case prepared
    case committed(CommittedBank)
}

struct CommittedBank: BitwiseCopyable {
    var version: UInt8
    var generation: UInt32
    var snapshotEnd: Int
    /// Whether a bit of a header or commit word was put right, or a copy was skipped: what is left may not survive
    /// another bit.
    var condition: RecordCondition

    /// Generations may wrap around.
    func isNewer(than other: CommittedBank) -> Bool {
        Int32(bitPattern: generation &- other.generation) > 0
    }
}

extension FixedArray where Element == UInt8 {
    func word(at offset: Int) -> UInt32 {
        UInt32(self[offset]) | UInt32(self[offset + 1]) &<< 8 | UInt32(self[offset + 2]) &<< 16
            | UInt32(self[offset + 3]) &<< 24
    }

    func put(_ word: UInt32, at offset: Int) {
        self[offset] = UInt8(truncatingIfNeeded: word)
        self[offset + 1] = UInt8(truncatingIfNeeded: word &>> 8)
        self[offset + 2] = UInt8(truncatingIfNeeded: word &>> 16)
        self[offset + 3] = UInt8(truncatingIfNeeded: word &>> 24)
    }

    func isBlank(_ range: Range<Int>) -> Bool {
        for index in range where self[index] != 0xFF { return false }
        return true
    }

    func checksum(_ range: Range<Int>) -> UInt32 {
        var check = CRC32()
        for index in range { check.update(self[index]) }
        return check.checksum
    }
}

// The first 64 bytes of a bank in a buffer.
extension FixedArray where Element == UInt8 {
    func putHeaders(generation: UInt32) {
        for copy in 0..<2 {
            let start = JournalFormat.headerOffset + copy * JournalFormat.headerSize
            put(JournalFormat.magic, at: start)
            put(UInt32(JournalFormat.version), at: start + 4)
            put(generation, at: start + 8)
            put(checksum(start..<start + 12), at: start + 12)
        }
    }

    func putCommits(generation: UInt32, snapshotEnd: Int) {
        let end = UInt32(truncatingIfNeeded: snapshotEnd)
        for copy in 0..<2 {
            let start = JournalFormat.commitOffset + copy * JournalFormat.commitSize
            var check = commitCheck(generation: generation)
            check.update(word: end)
            put(end, at: start)
            put(check.checksum, at: start + 4)
        }
    }

    /// The contents of a bank, from its first 64 bytes in the buffer.
    func bankContents(bankSize: Int) -> BankContents {
        for copy in 0..<2 {
            let start = JournalFormat.headerOffset + copy * JournalFormat.headerSize
            let condition = repair(start..<start + 12, after: CRC32(), checkAt: start + 12)
            switch condition {
            case .whole, .repaired: break
            case .damaged: continue
            }
            guard word(at: start) == JournalFormat.magic else { continue }
            return committed(
                version: self[start + 4], generation: word(at: start + 8), bankSize: bankSize,
                header: copy == 0 ? condition : .repaired)
        }
        let (first, second) = JournalFormat.preparedMark
        let isPrepared = word(at: 0) == first && word(at: 4) == second
        if isPrepared && isBlank(8..<JournalFormat.recordsOffset) { return .prepared }
        return committedWithoutHeader(bankSize: bankSize)
    }

    /// The contents of a bank whose headers cannot be read. They were whole when the commit words were programmed,
    /// whose check includes the generation: what is left of a header names it, or it follows from the check.
    ///
    /// Every commit word fits some generation, and that of a bank whose erase was cut off may be anything. It only
    /// counts if both commit words say the same and a copy of the header has most of its bits.
    @inline(never)
    private func committedWithoutHeader(bankSize: Int) -> BankContents {
        var nearest = BankContents.unusable
        var distance = Int.max
        let (first, second) = (JournalFormat.commitOffset, JournalFormat.commitOffset + JournalFormat.commitSize)
        let areSame = word(at: first) == word(at: second) && word(at: first + 4) == word(at: second + 4)
        for candidate in 0..<(areSame ? 3 : 2) {
            let header = JournalFormat.headerOffset + candidate % 2 * JournalFormat.headerSize
            let generation =
                candidate < 2
                ? word(at: header + 8) : CRC32.word(before: word(at: first), checkedBy: word(at: first + 4))
            // What reads as a later version may be a decayed number of this one.
            for version in JournalFormat.version...max(JournalFormat.version, self[header + 4])
            where version == JournalFormat.version || version == self[header + 4] {
                let away = headerDistance(version: version, generation: generation)
                guard away < distance, candidate < 2 || away <= JournalFormat.mostHeaderBits else { continue }
                let contents = committed(
                    version: version, generation: generation, bankSize: bankSize, header: .repaired)
                guard case .committed = contents else { continue }
                (nearest, distance) = (contents, away)
            }
        }
        return nearest
    }

    /// The number of bits in which the nearer copy of the header differs from the header of this version and generation.
    private func headerDistance(version: UInt8, generation: UInt32) -> Int {
        var check = CRC32()
        check.update(word: JournalFormat.magic)
        check.update(word: UInt32(version))
        check.update(word: generation)
        var nearest = Int.max
        for copy in 0..<2 {
            let start = JournalFormat.headerOffset + copy * JournalFormat.headerSize
            var bits = 0
            for part in 0..<4 {
                let wanted =
                    switch part {
                    case 0: JournalFormat.magic
                    case 1: UInt32(version)
                    case 2: generation
                    case _: check.checksum
                    }
                bits += (word(at: start + 4 * part) ^ wanted).nonzeroBitCount
            }
            nearest = Swift.min(nearest, bits)
        }
        return nearest
    }

    private func committed(
        version: UInt8, generation: UInt32, bankSize: Int, header: RecordCondition
    ) -> BankContents {
        for copy in 0..<2 {
            let start = JournalFormat.commitOffset + copy * JournalFormat.commitSize
            let condition = repair(start..<start + 4, after: commitCheck(generation: generation), checkAt: start + 4)
            let end = word(at: start)
            guard end >= UInt32(JournalFormat.recordsOffset), end <= UInt32(truncatingIfNeeded: bankSize),
                end % UInt32(JournalFormat.alignment) == 0
            else { continue }
            var bank = CommittedBank(
                version: version, generation: generation, snapshotEnd: Int(truncatingIfNeeded: end), condition: header)
            switch condition {
            case .whole where copy == 0: break
            case .whole, .repaired: bank.condition = .repaired
            case .damaged: continue
            }
            return .committed(bank)
        }
        return .unusable
    }

    private func commitCheck(generation: UInt32) -> CRC32 {
        var check = CRC32()
        check.update(word: generation)
        return check
    }
}

/// The division of the journal's part of the chip into two banks of whole sectors.
struct BankLayout: Sendable, BitwiseCopyable {
    let pageSize: Int
    let sectorSize: Int
    /// The last sector of an odd number is unused.
    let sectorsPerBank: Int

    init(_ geometry: FlashGeometry) throws(JournalError) {
        let (page, sector) = (geometry.pageSize, geometry.sectorSize)
        let sectors = geometry.journalSectorCount
        guard page >= 64, page % 64 == 0, sector >= page, sector % page == 0, sector <= 1 << 20,
            geometry.fileSectorCount >= 0, sectors >= 2, geometry.sectorCount <= 1 << 10, sectors / 2 * sector >= 2_048
        else { throw .unsuitableGeometry }
        pageSize = page
        sectorSize = sector
        sectorsPerBank = sectors / 2
    }

    /// For a journal that is not mounted: no bank.
    init() {
        pageSize = 256
        sectorSize = 0
        sectorsPerBank = 0
    }

    var bankSize: Int { sectorSize * sectorsPerBank }

    func address(_ bank: BankIndex, _ offset: Int) -> Int {
        bank.rawValue * bankSize + offset
    }

    func sector(_ bank: BankIndex, _ index: Int) -> Int {
        bank.rawValue * sectorsPerBank + index
    }

    func pageBoundary(after offset: Int) -> Int {
        (offset + pageSize - 1) / pageSize * pageSize
    }
}

/// In the lower and the upper half of the chip.
enum BankIndex: Int, BitwiseCopyable {
    case first
    case second

    var other: BankIndex { self == .first ? .second : .first }
}
