import Glibc

package enum HostFile {
    /// The most bytes of a file that is read whole, 256 MiB: more than a profile, a script or an image has.
    package static let longest = 256 << 20

    /// - Throws: `.systemCall` if it cannot be read, or goes on beyond 256 MiB, as a device does.
    package static func read(_ path: String) throws(DeviceModelError) -> [UInt8] {
        guard let file = fopen(path, "rbe") else { throw .systemCall("open", errno: errno) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&part, 1, part.count, file)
            guard ferror(file) == 0 else { throw .systemCall("read", errno: errno) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= longest else { throw .systemCall("read", errno: EFBIG) }
            bytes += part[..<count]
        }
    }

    /// Reads a regular file. Refuses a pipe or a device at once: opening it could wait for ever.
    ///
    /// - Throws: `.notAFile`; `.systemCall`, with EFBIG if the file has more than `limit` bytes.
    package static func readWhole(_ path: String, atMost limit: Int = longest) throws(DeviceModelError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .systemCall("open", errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .systemCall("stat", errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_size <= limit else { throw .systemCall("read", errno: EFBIG) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .systemCall("read", errno: errno) }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw .systemCall("read", errno: EFBIG) }
            bytes += part[..<count]
        }
    }

    /// Replaces a file at once by one of these bytes that its owner alone may read.
    ///
    /// - Throws: `.notAFile` if something else has the name; `.systemCall`.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(DeviceModelError) {
        var status = stat()
        var target = path
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
            // What a link leads to is replaced, and not the link.
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

    /// - Throws: `.systemCall`; a part of the bytes may then be there.
    package static func write(_ bytes: [UInt8], to path: String) throws(DeviceModelError) {
        guard let file = fopen(path, "wbe") else { throw .systemCall("open", errno: errno) }
        let written = fwrite(bytes, 1, bytes.count, file)
        let writeError = errno
        guard fclose(file) == 0 else { throw .systemCall("write", errno: errno) }
        guard written == bytes.count else { throw .systemCall("write", errno: writeError) }
    }
}
