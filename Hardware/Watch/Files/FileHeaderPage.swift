import WatchLink

/// The first page of a slot: what its file is.
///
///     0 mark | 4 generation | 8 transfer | 16 transfer that was there before | 24 length | 28 bytes of the label, 3 x 0
///     | 32 SHA-256 | 64 label, 64 bytes | 128 phone | 136 CRC-32 of all that
///
/// Numbers are little endian, like the journal's.
struct FileHeaderPage: BitwiseCopyable {
    /// The bytes of it.
    static var size: Int { 140 }
    static var hashOffset: Int { 32 }
    static var labelOffset: Int { 64 }
    /// The most bytes of a label.
    static var longestLabel: Int { 64 }
    /// "TLF1".
    private static var mark: UInt32 { 0x544C_4631 }

    /// Counts up with each file, so that of two the newer is known.
    let generation: UInt32
    let transfer: UInt64
    /// The file that was there when this one began to arrive, 0 for none: its sender may not have heard that it was stored.
    let before: UInt64
    let length: Int
    let labelCount: Int
    /// The identity of the phone that has sent it: a watch shows no file of the phone that it was before.
    let phone: UInt64

    init(generation: UInt32, transfer: UInt64, before: UInt64, length: Int, labelCount: Int, phone: UInt64) {
        self.phone = phone
        self.generation = generation
        self.transfer = transfer
        self.before = before
        self.length = length
        self.labelCount = labelCount
    }

    /// Writes the page's bytes into memory of `size` bytes.
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

    /// Reads the page's bytes; nil where they are none, or not whole.
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

/// The word at the end of a slot's head.
enum FileEnd: UInt32, BitwiseCopyable {
    /// Erased: the file is not whole.
    case open = 0xFFFF_FFFF
    /// "STOR": the file is whole, and its hash is right.
    case stored = 0x5354_4F52
    /// All clear: nobody wants it any more.
    case gone = 0
}
