import Glibc
import HostSystem
import Watch

/// An open file that holds the contents of a flash chip. The file stays locked until this value is destroyed.
package struct FlashFile: ~Copyable, Sendable {
    private let descriptor: Int32
    private let path: String

    /// Opens the file at `path`, or creates it with an erased chip of `size` bytes. The user with the ID `user` must own the
    /// file. If this throws, it has changed no existing byte of the file.
    package init(path: String, size: Int, user: UInt32 = geteuid()) throws(FlashFileError) {
        let descriptor = try FlashFile.open(path)
        do throws(FlashFileError) {
            let status = try FlashFile.status(descriptor, path: path)
            guard status.st_uid == user else { throw .foreign(path: path, user: status.st_uid) }
            try FlashFile.lock(descriptor, path: path)
            try FlashFile.prepare(descriptor, path: path, size: size)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Fills `bytes` from the file, starting at `address`. Returns false if the file is too short or cannot be read.
    func read(at address: Int, into bytes: inout [UInt8]) -> Bool {
        FlashFile.transfer(at: address, &bytes) { pread(descriptor, $0, $1, $2) }
    }

    /// Writes `bytes` at `address`. Returns false if this fails. If the file is no longer at `path`, writes nothing and returns
    /// false.
    func write(at address: Int, _ bytes: inout [UInt8]) -> Bool {
        isInPlace && FlashFile.transfer(at: address, &bytes) { pwrite(descriptor, $0, $1, $2) }
    }

    private var isInPlace: Bool {
        var (here, there) = (stat(), stat())
        return fstat(descriptor, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino
            && here.st_dev == there.st_dev
    }

    private static func open(_ path: String) throws(FlashFileError) -> Int32 {
        // Without O_NONBLOCK, `open` would wait for the writer of a pipe.
        do throws(HostSystemError) {
            return try Descriptors.open(path, O_RDWR | O_CREAT | O_NONBLOCK)
        } catch {
            throw error.reason == .isDirectory
                ? .notAFile(path: path) : .cannotOpen(path: path, code: error.reason.rawValue)
        }
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

    /// Extends the file with 0xFF to `size` bytes if the file is new, or if a killed process left the file unfinished. Removes
    /// the access of other users.
    private static func prepare(_ descriptor: Int32, path: String, size: Int) throws(FlashFileError) {
        let status = try status(descriptor, path: path)
        let found = Int(status.st_size)
        guard found != size else { return tighten(descriptor, status.st_mode) }
        guard found <= size else { throw .wrongSize(path: path, expected: size, found: found) }
        var written = [UInt8](repeating: 0, count: found)
        guard FlashFile.transfer(at: 0, &written, using: { pread(descriptor, $0, $1, $2) }) else {
            throw .cannotOpen(path: path, code: errno)
        }
        guard written.allSatisfy({ $0 == 0xFF }) else {
            throw .wrongSize(path: path, expected: size, found: found)
        }
        tighten(descriptor, status.st_mode)
        var rest = [UInt8](repeating: 0xFF, count: size - found)
        guard FlashFile.transfer(at: found, &rest, using: { pwrite(descriptor, $0, $1, $2) }) else {
            throw .cannotOpen(path: path, code: errno)
        }
    }

    static func status(_ descriptor: Int32, path: String) throws(FlashFileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        return status
    }

    /// Removes the access of other users, because the file contains the wearer's list.
    private static func tighten(_ descriptor: Int32, _ mode: mode_t) {
        if mode & 0o077 != 0 { _ = fchmod(descriptor, mode & 0o700) }
    }

    /// Reads or writes all of `bytes`. `call` performs `pread` or `pwrite`. Returns false if `call` fails or the file ends.
    static func transfer(
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
}

/// The reason why a flash file cannot be used. `description` is one line and says what to do.
package enum FlashFileError: Error, Sendable, Equatable {
    case inUse(path: String)
    /// The file does not have the chip's size. It is no flash file, or belongs to a different chip. Sizes are in bytes.
    case wrongSize(path: String, expected: Int, found: Int)
    /// The file belongs to another user, with this user ID. That user could change the file and read the list in it.
    case foreign(path: String, user: UInt32)
    case notAFile(path: String)
    case cannotOpen(path: String, code: Int32)
}

extension FlashFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let path):
            "\(path): another watch is running on this flash file; quit that watch or name another file"
        case .wrongSize(let path, let expected, let found):
            "\(path): this is not a watch's flash (\(CountText(found, "byte")) instead of \(expected)): name another file; if "
                + "check-offs may wait in it, copy it, give the copy its size back (truncate -s \(expected)) and check "
                + "it with tapline watch --check-flash"
        case .foreign(let path, let user):
            "\(path): this file belongs to user \(user), who could read and change it; name another file, or take it over (chown)"
        case .notAFile(let path):
            "\(path): this is not a regular file and cannot hold a watch's flash; name another file"
        case .cannotOpen(let path, let code):
            "\(path): the flash file cannot be used (\(String(cString: strerror(code)))): name another file"
        }
    }
}

/// A flash chip in a file. Its contents outlive the process.
///
/// The file holds only the chip's bytes. Each program or erase operation is written to the file at once, so a killed process
/// loses nothing. Writes are not flushed to disk, so a power failure of this machine may lose the last writes. While this
/// value exists, it locks the file, so that two watches cannot share the file.
package struct FileFlash: ~Copyable, Sendable {
    package let flashGeometry: FlashGeometry
    private let file: FlashFile

    package init(path: String, geometry: FlashGeometry) throws(FlashFileError) {
        file = try FlashFile(path: path, size: geometry.capacity)
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
    /// Always ready, because an erase has ended when `beginErase` returns.
    package var flashActivity: FlashActivity { .ready }

    package func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        guard address >= 0, destination.count <= flashGeometry.capacity,
            address <= flashGeometry.capacity - destination.count
        else { throw .outOfRange }
        let bytes = try read(at: address, count: destination.count)
        for index in destination.indices { destination[index] = bytes[index] }
    }

    /// - Throws: `.outOfRange` if the bytes are not in one page of the chip. `.verifyFailed` if a 0 bit would have to become 1,
    ///   which only an erase can do. `.notResponding` if the file cannot be read or written, for example on a full disk.
    package func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
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

    package func beginErase(sector: Int) throws(FlashError) {
        guard sector >= 0, sector < flashGeometry.sectorCount else { throw .outOfRange }
        let erased = [UInt8](repeating: 0xFF, count: flashGeometry.sectorSize)
        try write(at: sector * flashGeometry.sectorSize, erased)
    }

    package func finishErase() {}
}
