import WatchLink

// The layout of a bank, version 1. Words are little-endian, and offsets count from the first byte of the bank.
//
//     0  prepared mark, 8 bytes: programmed when all sectors of the bank have been erased
//     8  8 bytes that stay erased
//    16  header, 16 bytes, twice: "TLJ1" as a word, version (1 byte), three zeros, generation, CRC-32 of these 12 bytes.
//        Programmed when a snapshot into the bank begins.
//    48  commit word, 8 bytes, twice: offset of the snapshot's end, CRC-32 of the generation and that offset. Programmed
//        last. It makes the bank the active one if its generation is the newest.
//    64  records
//
// Header and commit word exist twice, so that one damaged byte does not lose the bank. One wrong bit in both copies does not lose
// it either, because the checksum tells which bit it is. The commit word's checksum includes the generation, so it makes up for
// headers with many wrong bits. Both keep their offset and format in every later version, so that each version finds the newest
// bank.
//
// A record begins at a multiple of 8: kind (1 byte), checksum of the header (1 byte), length of the payload (2 bytes), CRC-32,
// payload. Both checksums include the generation and the offset. So bytes of a title, or of an earlier generation at the same
// offset, cannot pass for a record when the log is searched.
//
// The payload of a gap record, kind 0, is an offset. The bytes from this offset to the gap record are the remains of an
// interrupted write. Any other bytes before the gap record that are no record are damage. If the offset is the gap record's
// own, the gap is empty. The gap record then attests that the records before it are complete.

enum JournalFormat {
    static var version: UInt8 { 1 }
    /// The journal may compute a bank's generation from the commit words. From this generation, it computes a header. It
    /// uses the generation only if the computed header differs from a stored header copy in at most this many of 128 bits.
    ///
    /// If both commit words have the same wrong bit, the computed generation is wrong. The computed header then differs from
    /// an undamaged header in 14 bits or more, or the snapshot's end lies outside the bank.
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

    static func stride(_ count: Int) -> Int {
        (recordHeaderSize + count + alignment - 1) / alignment * alignment
    }
}

enum BankContents: BitwiseCopyable {
    /// The bank was never used, is partly erased, or has an unfinished snapshot.
    case unusable
    case prepared
    case committed(CommittedBank)
}

struct CommittedBank: BitwiseCopyable {
    var version: UInt8
    var generation: UInt32
    var snapshotEnd: Int
    /// `.repaired` if a wrong bit was corrected, or if a damaged copy of the header or commit word was skipped. One more wrong
    /// bit may then lose the bank.
    var condition: RecordCondition

    /// Compares generation numbers that may have wrapped around.
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

// The headers and commit words, in a buffer with the first 64 bytes of a bank.
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

    /// Finds what is in a bank whose header copies are both damaged. The headers were valid when the commit words were
    /// programmed. The generation is read from a damaged header, or computed from a commit word's checksum, which includes the
    /// generation.
    ///
    /// For any checksum, even one that an interrupted erase has left, there is a generation that fits. So a computed generation
    /// is used only if the two commit words are equal and the header for this generation almost equals a stored header copy.
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
            // A number that reads as a later version may be this version's number with a wrong bit.
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

    /// Compares the header for `version` and `generation` with both stored copies. Returns the smaller number of different
    /// bits.
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

struct BankLayout: Sendable, BitwiseCopyable {
    let pageSize: Int
    let sectorSize: Int
    /// Half of the journal's sectors. If their number is odd, the last sector is unused.
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

    /// Makes the layout for a journal that is not mounted.
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

enum BankIndex: Int, BitwiseCopyable {
    case first
    case second

    var other: BankIndex { self == .first ? .second : .first }
}
