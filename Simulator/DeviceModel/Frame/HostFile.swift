import Glibc

/// Files of this machine.
enum HostFile {
    /// Makes `path` a file of exactly these bytes.
    ///
    /// - Throws: `.systemCall` when that fails; a part of the bytes may then be there.
    static func write(_ bytes: [UInt8], to path: String) throws(DeviceModelError) {
        guard let file = fopen(path, "wbe") else { throw .systemCall("open", errno: errno) }
        let written = fwrite(bytes, 1, bytes.count, file)
        let writeError = errno
        guard fclose(file) == 0 else { throw .systemCall("write", errno: errno) }
        guard written == bytes.count else { throw .systemCall("write", errno: writeError) }
    }
}
