import Watch

/// A flash chip in a file: what a watch keeps across a kill of its process.
///
/// The file is exactly as long as the chip and holds its bytes. Programs and erases go straight to it, so a process that is
/// killed loses nothing that was programmed; they are not forced to the disk, so a host that loses power may. The
/// file is locked for as long as the chip exists: two watches cannot share it.
public struct FileFlash: ~Copyable, Sendable {
    /// The chip's layout.
    public let flashGeometry: FlashGeometry
    private let file: FlashFile

    /// Opens the chip in the file at `path`, or makes it, erased throughout, where there is none.
    ///
    /// - Throws: `FlashFileError`. Of a file that is refused nothing is changed.
    public init(path: String, geometry: FlashGeometry) throws(FlashFileError) {
        file = try FlashFile(path: path, chip: geometry.capacity, size: geometry.capacity)
        flashGeometry = geometry
    }

    private func read(at address: Int, count: Int) throws(FlashError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard file.read(at: address, into: &bytes) else { throw .notResponding }
        return bytes
    }

    private func write(at address: Int, _ bytes: consuming [UInt8]) throws(FlashError) {
        guard file.write(at: address, &bytes) else { throw .notResponding }
    }
}

extension FileFlash: NORFlash {
    /// Always ready: an erase is over when `beginErase` returns.
    public var flashActivity: FlashActivity { .ready }

    /// Copies bytes out of the file.
    ///
    /// - Throws: `.outOfRange`; `.notResponding` when the file cannot be read, or has been cut short since.
    public func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        guard address >= 0, destination.count <= flashGeometry.capacity,
            address <= flashGeometry.capacity - destination.count
        else { throw .outOfRange }
        let bytes = try read(at: address, count: destination.count)
        for index in destination.indices { destination[index] = bytes[index] }
    }

    /// Clears bits of one page.
    ///
    /// - Throws: `.outOfRange`; `.verifyFailed` when a bit would have to be set, which stays clear; `.notResponding` when
    ///   the file cannot be written, of a full disk for example.
    public func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        let page = flashGeometry.pageSize
        guard address >= 0, bytes.count <= page, address <= flashGeometry.capacity - bytes.count,
            bytes.isEmpty || address / page == (address + bytes.count - 1) / page
        else { throw .outOfRange }
        var programmed = try read(at: address, count: bytes.count)
        for index in bytes.indices { programmed[index] &= bytes[index] }
        let isPossible = bytes.indices.allSatisfy { programmed[$0] == bytes[$0] }
        try write(at: address, programmed)
        guard isPossible else { throw .verifyFailed }
    }

    /// Erases a sector.
    ///
    /// - Throws: `.outOfRange`; `.notResponding` when the file cannot be written.
    public func beginErase(sector: Int) throws(FlashError) {
        guard sector >= 0, sector < flashGeometry.sectorCount else { throw .outOfRange }
        let erased = [UInt8](repeating: 0xFF, count: flashGeometry.sectorSize)
        try write(at: sector * flashGeometry.sectorSize, erased)
    }

    /// Returns at once: there is never an erase in progress.
    public func finishErase() {}
}
