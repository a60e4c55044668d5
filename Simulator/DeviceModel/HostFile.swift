import Glibc

/// Files of this machine.
package enum HostFile {
    /// The most bytes of a file that is read whole, 256 MiB: more than a profile, a script or an image has.
    private static let longest = 256 << 20

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
