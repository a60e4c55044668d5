/// The layout of a flash chip.
public struct FlashGeometry: Sendable, Equatable, BitwiseCopyable {
    /// How many bytes one program operation can write, 256 on common SPI NOR chips.
    public var pageSize: Int
    /// How many bytes one erase operation sets to 0xFF, 4,096 on common SPI NOR chips.
    public var sectorSize: Int
    /// How many sectors the whole chip has.
    public var sectorCount: Int
    /// How many sectors at the end of the chip are for files from the phone; 0 if the watch takes no files. One half of these
    /// sectors holds the stored file, and the other half the arriving file. For files of up to 64 KB, each half needs 17
    /// sectors of 4,096 bytes.
    public var fileSectorCount: Int

    /// Describes a chip. The defaults fit a common SPI NOR chip.
    public init(pageSize: Int = 256, sectorSize: Int = 4_096, sectorCount: Int, fileSectorCount: Int = 0) {
        self.pageSize = pageSize
        self.sectorSize = sectorSize
        self.sectorCount = sectorCount
        self.fileSectorCount = fileSectorCount
    }

    /// The size of the whole chip in bytes.
    public var capacity: Int { sectorSize * sectorCount }

    var journalSectorCount: Int { sectorCount - fileSectorCount }
}

/// What the flash chip is doing.
public enum FlashActivity: Sendable, Equatable, BitwiseCopyable {
    case ready
    /// The chip is erasing a sector, which takes tens to hundreds of milliseconds.
    case erasing
}

/// An error of a flash chip.
public enum FlashError: Error, Sendable, Equatable, BitwiseCopyable {
    /// The sector is outside the chip, some of the bytes are outside the chip, or the bytes to program cross the end of a page.
    case outOfRange
    /// The programmed bits read back differently. The sector is worn out, or the chip is failing.
    case verifyFailed
    /// The chip did not answer, or the file that simulates it could not be written.
    case notResponding
}

/// A NOR flash chip. Programming can only clear bits, in one page at a time. To set bits, the chip must erase a whole sector.
///
/// An erase takes up to 0.4 s. To read or program another sector meanwhile, the driver suspends the erase and resumes it
/// afterwards. Common chips suspend or resume in 20 to 30 us (the commands 75h and 7Ah of a W25Q).
///
/// If power fails, a page that was being programmed and a sector that was being erased are undefined. All other bytes are kept.
public protocol NORFlash: ~Copyable {
    /// The chip's layout, which never changes.
    var flashGeometry: FlashGeometry { get }

    var flashActivity: FlashActivity { mutating get }

    /// Reads bytes from `address` on. If the sector at `address` is being erased, waits for the end of the erase. If a
    /// different sector is being erased, suspends the erase.
    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError)

    /// Programs bytes within a page. Each byte on the chip becomes its old value AND the given byte. Handles a running erase as
    /// `readFlash` does. Returns when the bytes are programmed, after about 0.7 ms for a page.
    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError)

    /// Begins to erase a sector, and does not wait for the end. If another erase is running, waits for that erase first.
    mutating func beginErase(sector: Int) throws(FlashError)

    /// Waits for the end of an erase, if one is running. If the chip no longer answers, returns after a time limit.
    mutating func finishErase()
}

extension NORFlash where Self: ~Copyable {
    mutating func read(at address: Int, into memory: FixedArray<UInt8>) throws(FlashError) {
        var part = memory
        var bytes = part.mutableSpan
        try readFlash(at: address, into: &bytes)
    }

    mutating func program(_ bytes: FixedArray<UInt8>, at address: Int, pageSize: Int) throws(FlashError) {
        var done = 0
        while done < bytes.count {
            let place = address + done
            let count = min(bytes.count - done, pageSize - place % pageSize)
            try programFlash(at: place, bytes.slice(done..<done + count).span)
            done += count
        }
    }
}
