import Glibc

/// Files of this machine.
package enum HostFile {
    /// The most bytes of a file that is read whole, 256 MiB: more than a profile, a script or an image has.
    package static let longest = 256 << 20

    /// The bytes of the file at `path`.
    ///
    /// - Throws: `.systemCall` where it cannot be read, or goes on beyond 256 MiB, as a device does.
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

    /// The bytes of the regular file at `path`.
    ///
    /// A pipe or a device is refused at once: opening it could wait for ever.
    ///
    /// - Throws: `.notAFile` for anything but a regular file; `.systemCall` where it cannot be read, with EFBIG where it has more
    ///   than `limit` bytes.
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

    /// Makes `path` a file of exactly these bytes that its owner alone may read, or leaves what is there: at no moment a part
    /// of the bytes is there.
    ///
    /// - Throws: `.notAFile` where something else than a regular file has the name; `.systemCall` when it fails.
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

    /// Makes `path` a file of exactly these bytes.
    ///
    /// - Throws: `.systemCall` when that fails; a part of the bytes may then be there.
    package static func write(_ bytes: [UInt8], to path: String) throws(DeviceModelError) {
        guard let file = fopen(path, "wbe") else { throw .systemCall("open", errno: errno) }
        let written = fwrite(bytes, 1, bytes.count, file)
        let writeError = errno
        guard fclose(file) == 0 else { throw .systemCall("write", errno: errno) }
        guard written == bytes.count else { throw .systemCall("write", errno: writeError) }
    }
}
