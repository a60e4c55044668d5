import Glibc
import HostSystem
import SystemPackage

/// The system calls of file transfers. A test can make each of them fail, except those that list a directory.
package struct FileSystem: Sendable {
    /// Called with the name of a C function before each call of that function. Returns the error with which the call fails;
    /// nil lets the call proceed.
    private let failure: @Sendable (_ call: String) -> Errno?

    package init(failing failure: @escaping @Sendable (_ call: String) -> Errno? = { _ in nil }) {
        self.failure = failure
    }

    func open(_ path: String, _ flags: CInt) throws(WormholeError) -> OpenedFile {
        if let reason = failure("open") { throw .system(call: "open", path: path, reason) }
        return OpenedFile(path: path, descriptor: OwnedDescriptor(try SocketCalls.open(path, flags)))
    }

    func information(of file: OpenedFile) throws(WormholeError) -> stat {
        var information = stat()
        _ = try call("fstat", file) { fstat($0, &information) }
        return information
    }

    /// pread(2): returns `start`, followed by `count` bytes of the file from `offset` on, or fewer if the end of the file is
    /// reached.
    func read(
        _ file: OpenedFile, at offset: UInt64, count: Int, behind start: [UInt8]
    ) throws(WormholeError) -> [UInt8] {
        var failure: WormholeError?
        let bytes = [UInt8](unsafeUninitializedCapacity: start.count + count) { buffer, size in
            size = buffer.initialize(fromContentsOf: start)
            let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[size...])
            do throws(WormholeError) { size += try read(file, at: offset, into: rest) } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// pread(2): fills `buffer` with the bytes of the file from `offset` on. Returns the number of bytes read, which is less
    /// than the size of `buffer` if the end of the file is reached.
    private func read(
        _ file: OpenedFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(WormholeError) -> Int {
        var done = 0
        while done < buffer.count {
            let part = try call("pread", file) { descriptor in
                pread(
                    descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
                    off_t(offset) + off_t(done))
            }
            guard part > 0 else { break }
            done += part
        }
        return done
    }

    func write(_ bytes: ArraySlice<UInt8>, to file: OpenedFile, at offset: UInt64) throws(WormholeError) {
        var done = 0
        while done < bytes.count {
            done += try call("pwrite", file) { descriptor in
                bytes.dropFirst(done).withUnsafeBytes { buffer in
                    pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset) + off_t(done))
                }
            }
        }
    }

    func empty(_ file: OpenedFile) throws(WormholeError) {
        _ = try call("ftruncate", file) { ftruncate($0, 0) }
    }

    func synchronize(_ file: OpenedFile) throws(WormholeError) {
        _ = try call("fsync", file) { fsync($0) }
    }

    /// link(2): gives the file at `path` a second path, `name`. Returns false if `name` exists already.
    func link(_ path: String, as name: String) throws(WormholeError) -> Bool {
        if let reason = failure("link") { throw .system(call: "link", path: name, reason) }
        if Glibc.link(path, name) == 0 { return true }
        guard errno == EEXIST else { throw SocketCalls.failure("link", name) }
        return false
    }

    /// unlink(2). A missing file is not an error.
    func remove(_ path: String) throws(WormholeError) {
        if let reason = failure("unlink") { throw .system(call: "unlink", path: path, reason) }
        if unlink(path) != 0, errno != ENOENT { throw SocketCalls.failure("unlink", path) }
    }

    func names(in directory: String, beginningWith prefix: String) throws(WormholeError) -> [String] {
        guard let stream = opendir(directory) else { throw SocketCalls.failure("opendir", directory) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(prefix) { names.append(name) }
        }
        return names
    }

    private func call<Number: SignedInteger>(
        _ name: String, _ file: OpenedFile, _ body: (CInt) -> Number
    ) throws(WormholeError) -> Number {
        if let reason = failure(name) { throw .system(call: name, path: file.path, reason) }
        while true {
            guard let result = file.descriptor.with(body) else { throw .closed }
            if result >= 0 { return result }
            guard Errno(rawValue: errno) == .interrupted else { throw SocketCalls.failure(name, file.path) }
        }
    }
}

struct OpenedFile: Sendable {
    let path: String
    let descriptor: OwnedDescriptor
}

extension FileSystem {
    private static let pieceSize = 1 << 16

    func read(
        _ file: OpenedFile, upTo end: UInt64, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(WormholeError) {
        try withUnsafeTemporaryAllocation(byteCount: FileSystem.pieceSize, alignment: 16) {
            memory throws(WormholeError) in
            var offset: UInt64 = 0
            while offset < end {
                let wanted = Int(min(end - offset, UInt64(FileSystem.pieceSize)))
                let buffer = UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted])
                let count = try read(file, at: offset, into: buffer)
                guard count > 0 else { return }
                body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += UInt64(count)
            }
        }
    }
}

extension WormholeError {
    var isFullDisk: Bool {
        guard case .system(_, _, let reason) = self else { return false }
        return reason == .noSpace || reason == .diskQuotaExceeded
    }
}
