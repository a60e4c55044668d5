import SystemPackage

extension FileDescriptor {
    /// The bytes of the file at `path`.
    ///
    /// - Throws: what the system says; `.fileTooLarge` for more than `most` bytes.
    package static func bytes(ofFile path: String, atMost most: Int) throws(Errno) -> [UInt8] {
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec])
            return try file.closeAfter { try file.rest(atMost: most) }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// What is left to read.
    ///
    /// - Throws: what the system says; `.fileTooLarge` for more than `most` bytes.
    package func rest(atMost most: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        do {
            while true {
                let count = try chunk.withUnsafeMutableBytes { try read(into: $0) }
                guard count > 0 else { return bytes }
                guard bytes.count + count <= most else { throw Errno.fileTooLarge }
                bytes += chunk[..<count]
            }
        } catch {
            throw error as? Errno ?? .ioError
        }
    }
}
