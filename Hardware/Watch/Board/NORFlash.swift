/// The layout of a flash chip.
public struct FlashGeometry: Sendable, Equatable, BitwiseCopyable {
    /// How many bytes one program operation can write, 256 on common SPI NOR chips.
    public var pageSize: Int
    /// How many bytes one erase operation sets to 0xFF, 4,096 on common SPI NOR chips.
    public var sectorSize: Int
    /// How many sectors the whole chip has.
    public var sectorCount: Int
    /// How many sectors at the end of the chip are for files from the phone; 0 if the watch takes no files. Half of them hold the
    /// present file, the others the arriving one. A file of 64 KB needs 34 sectors of 4,096 bytes, both halves together.
    public var fileSectorCount: Int

    /// Describes a chip. The defaults fit a common SPI NOR chip.
    public init(pageSize: Int = 256, sectorSize: Int = 4_096, sectorCount: Int, fileSectorCount: Int = 0) {
        self.pageSize = pageSize
        self.sectorSize = sectorSize
        self.sectorCount = sectorCount
        self.fileSectorCount = fileSectorCount
    }

    /// In bytes.
    public var capacity: Int { sectorSize * sectorCount }

    var journalSectorCount: Int { sectorCount - fileSectorCount }
}

/// Whether the flash chip is busy.
public enum FlashActivity: Sendable, Equatable, BitwiseCopyable {
    case ready
    /// An erase is running, which takes tens to hundreds of milliseconds. No other erase can begin. Reads and programs of other
    /// sectors suspend the erase.
    case erasing
}

/// An error of a flash chip.
public enum FlashError: Error, Sendable, Equatable, BitwiseCopyable {
    /// The address or length is outside the chip, or crosses a page.
    case outOfRange
    /// The programmed bits read back differently. The sector is worn out, or the chip is failing.
    case verifyFailed
    /// The chip did not answer, or the file that simulates it could not be written.
    case notResponding
}

/// A NOR flash chip. A program clears bits within a page. To set bits, a whole sector must be erased.
///
/// An erase takes up to 0.4 s. To read or program another sector meanwhile, the driver suspends the erase and resumes it
/// afterwards. Common chips suspend or resume in 20 to 30 us (the commands 75h and 7Ah of a W25Q).
///
/// If power fails during a program or erase, the page being programmed and the sector being erased are undefined. All other
/// bytes are kept.
public protocol NORFlash: ~Copyable {
    /// The layout never changes.
    var flashGeometry: FlashGeometry { get }

    var flashActivity: FlashActivity { mutating get }

    /// Reads bytes from `address` on. Suspends an erase of another sector, and waits for an erase of the same sector.
    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError)

    /// Programs bytes within a page: each byte becomes itself AND the given byte. Suspends an erase of another sector, and waits
    /// for an erase of the same sector. Returns when the chip has finished, about 0.7 ms for a page.
    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError)

    /// Begins to erase a sector, and does not wait for the end. If another erase is running, waits for that erase first.
    mutating func beginErase(sector: Int) throws(FlashError)

    /// Waits for the end of an erase. If the chip no longer answers, returns after a time limit.
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
