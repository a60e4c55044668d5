import Glibc
import HostSystem
import SystemPackage

package enum HostFile {
    /// The maximum number of bytes that `read` accepts, and the default limit of `readWhole`. It is 256 MiB, more than any
    /// profile, script, picture or firmware image has.
    package static let longest = 256 << 20

    /// Reads a file, pipe or device to its end.
    ///
    /// - Throws: `.systemCall` if the file cannot be read or has more than 256 MiB. An endless device exceeds that limit.
    package static func read(_ path: String) throws(DeviceModelError) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        return try rest(of: descriptor, atMost: longest)
    }

    /// Reads a regular file. Never blocks on a pipe or a device.
    ///
    /// - Throws: `.notAFile` if the path names something other than a regular file; `.systemCall`, with EFBIG if the file has
    ///   more than `limit` bytes.
    package static func readWhole(_ path: String, atMost limit: Int = longest) throws(DeviceModelError) -> [UInt8] {
        let descriptor = try open(path, O_NONBLOCK)
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .systemCall("stat", errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_size <= limit else { throw .systemCall("read", errno: EFBIG) }
        return try rest(of: descriptor, atMost: limit)
    }

    private static func open(_ path: String, _ more: CInt = 0) throws(DeviceModelError) -> CInt {
        do throws(HostSystemError) {
            return try Descriptors.open(path, O_RDONLY | more)
        } catch {
            throw DeviceModelError(error)
        }
    }

    private static func rest(of descriptor: CInt, atMost limit: Int) throws(DeviceModelError) -> [UInt8] {
        do throws(Errno) {
            return try FileDescriptor(rawValue: descriptor).rest(atMost: limit)
        } catch {
            throw .systemCall("read", errno: error.rawValue)
        }
    }

    /// Replaces a file atomically, or creates it. Only the owner can read and write the new file.
    ///
    /// - Throws: `.notAFile` if the path names something other than a regular file; `.systemCall` if writing fails.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(DeviceModelError) {
        var status = stat()
        var target = path
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
            // If the path is a symbolic link, replaces the link's target and keeps the link.
            if let real = realpath(path, nil) {
                target = String(cString: real)
                free(real)
            }
        }
        var template = Array("\(target).XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .systemCall("open", errno: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let file = fdopen(descriptor, "w")
        let written =
            file != nil && fwrite(bytes, 1, bytes.count, file) == bytes.count && fflush(file) == 0
            && fsync(descriptor) == 0
        let problem = errno
        if let file { fclose(file) } else { close(descriptor) }
        guard written else {
            unlink(template)
            throw .systemCall("write", errno: problem)
        }
        guard rename(template, target) == 0 else {
            let problem = errno
            unlink(template)
            throw .systemCall("rename", errno: problem)
        }
    }

    /// Creates or overwrites a file.
    ///
    /// - Throws: `.systemCall`. The file may then contain only some of the bytes.
    package static func write(_ bytes: [UInt8], to path: String) throws(DeviceModelError) {
        guard let file = fopen(path, "wbe") else { throw .systemCall("open", errno: errno) }
        let written = fwrite(bytes, 1, bytes.count, file)
        let writeError = errno
        guard fclose(file) == 0 else { throw .systemCall("write", errno: errno) }
        guard written == bytes.count else { throw .systemCall("write", errno: writeError) }
    }
}
