import WatchLink

/// The first page of a slot, which describes the file there. Each word of 32 bits is little-endian. A number of 64 bits is
/// two words, and the high word comes first. The fields and their offsets:
///
///     0 mark | 4 generation | 8 transfer number | 16 transfer number of the earlier file (`before`) | 24 length in bytes
///     | 28 length of the label (one byte), three zero bytes | 32 SHA-256 of the content | 64 label, 64 bytes
///     | 128 identity of the phone | 136 CRC-32 of bytes 0 to 135
struct FileHeaderPage: BitwiseCopyable {
    static var size: Int { 140 }
    static var hashOffset: Int { 32 }
    static var labelOffset: Int { 64 }
    static var longestLabel: Int { 64 }
    /// "TLF1" in ASCII, from the high byte to the low byte.
    private static var mark: UInt32 { 0x544C_4631 }

    /// One more than the generation of the previous file, modulo 2^32. It tells which of two files is newer.
    let generation: UInt32
    let transfer: UInt64
    /// The transfer number of the file that was stored when this file began to arrive; 0 for none. The phone may not know yet
    /// that the earlier file was stored.
    let before: UInt64
    let length: Int
    let labelCount: Int
    /// The phone that sent the file. The watch shows no file of another phone.
    let phone: UInt64

    init(generation: UInt32, transfer: UInt64, before: UInt64, length: Int, labelCount: Int, phone: UInt64) {
        self.phone = phone
        self.generation = generation
        self.transfer = transfer
        self.before = before
        self.length = length
        self.labelCount = labelCount
    }

    /// Writes the page into the first `size` bytes of `memory`.
    func write(hash: Span<UInt8>, label: Span<UInt8>, into memory: FixedArray<UInt8>) {
        memory.fill(0..<FileHeaderPage.size, with: 0)
        memory.put(FileHeaderPage.mark, at: 0)
        memory.put(generation, at: 4)
        memory.put(transfer.highWord, at: 8)
        memory.put(transfer.lowWord, at: 12)
        memory.put(before.highWord, at: 16)
        memory.put(before.lowWord, at: 20)
        memory.put(UInt32(truncatingIfNeeded: length), at: 24)
        memory[28] = UInt8(truncatingIfNeeded: labelCount)
        for index in hash.indices { memory[FileHeaderPage.hashOffset + index] = hash[index] }
        for index in label.indices { memory[FileHeaderPage.labelOffset + index] = label[index] }
        memory.put(phone.highWord, at: 128)
        memory.put(phone.lowWord, at: 132)
        memory.put(FileHeaderPage.check(of: memory), at: 136)
    }

    /// Nil if the bytes are no header page, or are damaged.
    init?(_ memory: FixedArray<UInt8>) {
        guard memory.word(at: 0) == FileHeaderPage.mark, memory.word(at: 136) == FileHeaderPage.check(of: memory)
        else { return nil }
        generation = memory.word(at: 4)
        transfer = UInt64(high: memory.word(at: 8), low: memory.word(at: 12))
        before = UInt64(high: memory.word(at: 16), low: memory.word(at: 20))
        length = Int(truncatingIfNeeded: memory.word(at: 24))
        labelCount = Int(memory[28])
        phone = UInt64(high: memory.word(at: 128), low: memory.word(at: 132))
        guard transfer != 0, length >= 0, length <= FileArea.mostContent, labelCount <= FileHeaderPage.longestLabel
        else { return nil }
    }

    private static func check(of memory: FixedArray<UInt8>) -> UInt32 {
        memory.checksum(0..<136)
    }
}

enum FileEnd: UInt32, BitwiseCopyable {
    /// The word in the end page is still erased: the file is incomplete, or its hash has not been checked.
    case open = 0xFFFF_FFFF
    /// "STOR" in ASCII: the file is complete, and its hash is right.
    case stored = 0x5354_4F52
    /// All bits of the word are clear: the handler has cancelled the file.
    case gone = 0
}

/// The part of the flash chip for files. It has two slots: one for the present file and one for the arriving one.
///
///     slot:  header page | marks page | end page | content ...
///
/// Each of the three pages is programmed separately, so that a power cut leaves the other two intact.
struct FileArea: BitwiseCopyable {
    private static var smallestPage: Int { 256 }
    /// The maximum length of a file in bytes. On a small chip, the limit is lower: see `largestFile`.
    static var mostContent: Int { 65_536 }
    /// How many bytes of content one mark covers. A mark says that these bytes are programmed.
    static var markedBytes: Int { 1_024 }
    static var markCount: Int { mostContent / markedBytes }

    let pageSize: Int
    let sectorSize: Int
    private let firstSector: Int
    let sectorsPerSlot: Int

    /// The area is empty if the chip has no sectors for files, or if its pages or sectors are too small.
    init(_ geometry: FlashGeometry) {
        let isUsable =
            geometry.pageSize >= 64 && geometry.sectorSize >= 1_024 && geometry.fileSectorCount >= 2
            && geometry.fileSectorCount <= geometry.sectorCount
        pageSize = geometry.pageSize
        sectorSize = geometry.sectorSize
        sectorsPerSlot = isUsable ? geometry.fileSectorCount / 2 : 0
        firstSector = geometry.sectorCount - geometry.fileSectorCount
    }

    private var stride: Int { max(pageSize, FileArea.smallestPage) }

    var largestFile: Int {
        min(FileArea.mostContent, max(0, sectorsPerSlot * sectorSize - 3 * stride))
    }

    func sector(_ slot: FileSlot, _ index: Int) -> Int { firstSector + slot.rawValue * sectorsPerSlot + index }

    /// Returns how many sectors a file of `length` bytes takes, including the three pages before its content.
    func sectorCount(for length: Int) -> Int { (3 * stride + length + sectorSize - 1) / sectorSize }

    func header(_ slot: FileSlot) -> Int { sector(slot, 0) * sectorSize }
    func marks(_ slot: FileSlot) -> Int { header(slot) + stride }
    func end(_ slot: FileSlot) -> Int { header(slot) + 2 * stride }
    func content(_ slot: FileSlot) -> Int { header(slot) + 3 * stride }
}

enum FileSlot: Int, BitwiseCopyable {
    case first = 0
    case second = 1

    var other: FileSlot { self == .first ? .second : .first }
}
