import Glibc
import Watch

/// A flash chip in a file: what a watch keeps across a kill of its process.
///
/// The file is exactly as long as the chip and holds its bytes. Programs and erases go straight to it, so a process that is
/// killed loses nothing that was programmed; they are not forced to the disk, so a host that loses power may. The
/// file is locked for as long as the chip exists: two watches cannot share it.
public struct FileFlash: ~Copyable, Sendable {
    /// The chip's layout.
    public let flashGeometry: FlashGeometry
    private let descriptor: Int32

    /// Opens the chip in the file at `path`, or makes it, erased throughout, where there is none.
    ///
    /// - Throws: `FlashFileError`. Of a file that is refused nothing is changed.
    public init(path: String, geometry: FlashGeometry) throws(FlashFileError) {
        let descriptor = try FileFlash.open(path)
        do {
            try FileFlash.lock(descriptor, path: path)
            try FileFlash.prepare(descriptor, path: path, size: geometry.capacity)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        flashGeometry = geometry
    }

    deinit {
        close(descriptor)
    }

    private static func open(_ path: String) throws(FlashFileError) -> Int32 {
        // Without O_NONBLOCK a pipe of that name would keep this waiting for a writer.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw errno == EISDIR ? .notAFile(path: path) : .cannotOpen(path: path, code: errno)
        }
        return descriptor
    }

    private static func lock(_ descriptor: Int32, path: String) throws(FlashFileError) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: throw .inUse(path: path)
            case let code: throw .cannotOpen(path: path, code: code)
            }
        }
    }

    /// Fills a new file. A process that is killed meanwhile leaves one that is too short but blank; it is filled up.
    private static func prepare(_ descriptor: Int32, path: String, size: Int) throws(FlashFileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        let found = Int(status.st_size)
        guard found != size else { return }
        guard found < size else { throw .wrongSize(path: path, expected: size, found: found) }
        var written = [UInt8](repeating: 0, count: found)
        guard FileFlash.transfer(at: 0, &written, using: { pread(descriptor, $0, $1, $2) }) else {
            throw .cannotOpen(path: path, code: errno)
        }
        guard written.allSatisfy({ $0 == 0xFF }) else {
            throw .wrongSize(path: path, expected: size, found: found)
        }
        var rest = [UInt8](repeating: 0xFF, count: size - found)
        guard FileFlash.transfer(at: found, &rest, using: { pwrite(descriptor, $0, $1, $2) }) else {
            throw .cannotOpen(path: path, code: errno)
        }
    }

    /// Calls `pread` or `pwrite` until all of `bytes` has gone through, and returns whether it has.
    private static func transfer(
        at address: Int, _ bytes: inout [UInt8], using call: (UnsafeMutableRawPointer, Int, Int) -> Int
    ) -> Bool {
        bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return true }
            var done = 0
            while done < buffer.count {
                let count = call(base + done, buffer.count - done, address + done)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    private func read(at address: Int, count: Int) throws(FlashError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard FileFlash.transfer(at: address, &bytes, using: { pread(descriptor, $0, $1, $2) }) else {
            throw .notResponding
        }
        return bytes
    }

    private func write(at address: Int, _ bytes: consuming [UInt8]) throws(FlashError) {
        guard FileFlash.transfer(at: address, &bytes, using: { pwrite(descriptor, $0, $1, $2) }) else {
            throw .notResponding
        }
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
}
