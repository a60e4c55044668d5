import Glibc
import HostSystem

/// The file that a flash chip is kept in: locked for as long as this exists, so that two watches cannot share it.
package struct FlashFile: ~Copyable, Sendable {
    private let descriptor: Int32
    private let path: String

    /// Opens the file at `path`, or makes it, its chip erased throughout, where there is none.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - chip: bytes of the chip, which is at the start of the file.
    ///   - size: bytes of the file; those behind the chip are zero in a new one.
    ///   - user: the user whose file it has to be.
    /// - Throws: `FlashFileError`. Of a file that is refused nothing is changed.
    package init(path: String, chip: Int, size: Int, user: UInt32 = geteuid()) throws(FlashFileError) {
        let descriptor = try FlashFile.open(path)
        do throws(FlashFileError) {
            let status = try FlashFile.status(descriptor, path: path)
            guard status.st_uid == user else { throw .foreign(path: path, user: status.st_uid) }
            try FlashFile.lock(descriptor, path: path)
            try FlashFile.prepare(descriptor, path: path, chip: chip, size: size)
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

    /// Fills `bytes` from `address` on. Returns whether the file has them all.
    func read(at address: Int, into bytes: inout [UInt8]) -> Bool {
        FlashFile.transfer(at: address, &bytes) { pread(descriptor, $0, $1, $2) }
    }

    /// Writes `bytes` from `address` on. Returns whether that went through and will be there at the next start, which opens
    /// the file at the path.
    func write(at address: Int, _ bytes: inout [UInt8]) -> Bool {
        isInPlace && FlashFile.transfer(at: address, &bytes) { pwrite(descriptor, $0, $1, $2) }
    }

    /// Whether the path still leads to this file: it was neither removed nor moved, and no other is in its place.
    private var isInPlace: Bool {
        var (here, there) = (stat(), stat())
        return fstat(descriptor, &here) == 0 && stat(path, &there) == 0 && here.st_ino == there.st_ino
            && here.st_dev == there.st_dev
    }

    private static func open(_ path: String) throws(FlashFileError) -> Int32 {
        // Without O_NONBLOCK a pipe of that name would keep this waiting for a writer.
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

    /// Fills a new file. A process that is killed meanwhile leaves one that is too short but blank; it is filled up.
    private static func prepare(_ descriptor: Int32, path: String, chip: Int, size: Int) throws(FlashFileError) {
        let status = try status(descriptor, path: path)
        let found = Int(status.st_size)
        guard found != size else { return tighten(descriptor, status.st_mode) }
        guard found <= chip else { throw .wrongSize(path: path, expected: size, found: found) }
        var written = [UInt8](repeating: 0, count: found)
        guard FlashFile.transfer(at: 0, &written, using: { pread(descriptor, $0, $1, $2) }) else {
            throw .cannotOpen(path: path, code: errno)
        }
        guard written.allSatisfy({ $0 == 0xFF }) else {
            throw .wrongSize(path: path, expected: size, found: found)
        }
        tighten(descriptor, status.st_mode)
        var rest = [UInt8](repeating: 0xFF, count: chip - found)
        guard FlashFile.transfer(at: found, &rest, using: { pwrite(descriptor, $0, $1, $2) }) else {
            throw .cannotOpen(path: path, code: errno)
        }
        guard size == chip || ftruncate(descriptor, size) == 0 else { throw .cannotOpen(path: path, code: errno) }
    }

    private static func status(_ descriptor: Int32, path: String) throws(FlashFileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        return status
    }

    /// Takes away what others than the owner may do with a file that is there already: the list is in it.
    private static func tighten(_ descriptor: Int32, _ mode: mode_t) {
        if mode & 0o077 != 0 { _ = fchmod(descriptor, mode & 0o700) }
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
}
