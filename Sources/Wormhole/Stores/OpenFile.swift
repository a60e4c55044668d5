import Glibc
import HostSystem
import SystemPackage

/// A file that this process alone has open for writing.
final class OpenFile: Sendable {
    private let path: String
    private let descriptor: CInt
    /// It belongs to the path and not to the file, because the file is replaced.
    private let lock: ServiceLock

    /// Opens or creates a file.
    ///
    /// - Throws: `.alreadyServed` where another process has it open; `.system`.
    init(path: String) throws(WormholeError) {
        lock = try ServiceLock(forFileAt: path)
        self.path = path
        descriptor = try SocketCalls.system(path) { () throws(HostSystemError) in
            try Descriptors.open(path, O_RDWR | O_CREAT | O_APPEND)
        }
    }

    private init(path: String, descriptor: CInt, lock: ServiceLock) {
        self.path = path
        self.descriptor = descriptor
        self.lock = lock
    }

    deinit { _ = Glibc.close(descriptor) }

    func readAll() throws(WormholeError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(descriptor, &part, part.count, off_t(bytes.count))
            if count < 0 {
                guard Errno(rawValue: errno) == .interrupted else { throw SocketCalls.failure("pread", path) }
                continue
            }
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
    }

    /// Appends bytes; where it throws, some of them may be there.
    func append(_ bytes: [UInt8]) throws(WormholeError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                guard Errno(rawValue: errno) == .interrupted else { throw SocketCalls.failure("write", path) }
                continue
            }
            written += count
        }
    }

    func truncate(to length: Int) throws(WormholeError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw SocketCalls.failure("ftruncate", path) }
    }

    func synchronize() throws(WormholeError) {
        guard fdatasync(descriptor) == 0 else { throw SocketCalls.failure("fdatasync", path) }
    }

    /// Writes a file beside this one and renames it over this one: at any moment one of the two is there, whole.
    func replaced(by bytes: [UInt8]) throws(WormholeError) -> OpenFile {
        let temporary = path + ".new"
        let number = try SocketCalls.system(temporary) { () throws(HostSystemError) in
            try Descriptors.open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_APPEND)
        }
        let successor = OpenFile(path: path, descriptor: number, lock: lock)
        try successor.append(bytes)
        try successor.synchronize()
        guard rename(temporary, path) == 0 else { throw SocketCalls.failure("rename", temporary) }
        OpenFile.synchronizeDirectory(of: path)
        return successor
    }

    /// Writes the new name to the disk. On a file system that cannot do so nothing more can be done.
    private static func synchronizeDirectory(of path: String) {
        let directory = FilePath(path).removingLastComponent().string
        guard let descriptor = try? Descriptors.open(directory.isEmpty ? "." : directory, O_RDONLY | O_DIRECTORY) else {
            return
        }
        _ = fsync(descriptor)
        _ = Glibc.close(descriptor)
    }
}
