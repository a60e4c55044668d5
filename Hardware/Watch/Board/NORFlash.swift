/// The layout of a flash chip.
public struct FlashGeometry: Sendable, Equatable, BitwiseCopyable {
    /// Bytes that one program operation can write, 256 on the usual SPI NOR chips.
    public var pageSize: Int
    /// Bytes that one erase operation sets to 0xFF, 4,096 on the usual SPI NOR chips.
    public var sectorSize: Int
    /// The number of sectors.
    public var sectorCount: Int

    /// A chip of `sectorCount` sectors.
    public init(pageSize: Int = 256, sectorSize: Int = 4_096, sectorCount: Int) {
        self.pageSize = pageSize
        self.sectorSize = sectorSize
        self.sectorCount = sectorCount
    }

    /// The chip's size in bytes.
    public var capacity: Int { sectorSize * sectorCount }
}

/// What the flash chip is doing.
public enum FlashActivity: Sendable, Equatable, BitwiseCopyable {
    /// It takes the next operation.
    case ready
    /// A sector erase is under way: tens to hundreds of milliseconds. Reading and programming have to wait.
    case erasing
}

/// What can go wrong with a flash chip.
public enum FlashError: Error, Sendable, Equatable, BitwiseCopyable {
    /// The address or length is outside the chip, or crosses a page.
    case outOfRange
    /// The bits that were read back are not the ones that were programmed: the sector is worn or the chip is failing.
    case verifyFailed
    /// The chip did not answer, or the file behind it could not be written.
    case notResponding
}

/// A NOR flash chip: reads anywhere, programs clear bits within one page, and only erasing a whole sector sets them.
///
/// Power may fail at any program or erase; what was being written is then undefined, everything else stays.
public protocol NORFlash: ~Copyable {
    /// The chip's layout; it never changes.
    var flashGeometry: FlashGeometry { get }

    /// Whether the chip takes an operation now.
    var flashActivity: FlashActivity { mutating get }

    /// Copies bytes from `address` on into all of `destination`. Waits for an erase that is under way.
    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError)

    /// Clears bits: each byte becomes itself AND the given one. `bytes` lie within one page. Returns when the chip has
    /// finished (about 0.7 ms for a page); waits for an erase that is under way first.
    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError)

    /// Starts to erase a sector and returns; `flashActivity` is `.erasing` until it is done.
    mutating func beginErase(sector: Int) throws(FlashError)
}
