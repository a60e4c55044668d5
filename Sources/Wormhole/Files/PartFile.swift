import Glibc
import HostSystem
import Synchronization

package struct FileOrigin: Hashable, Sendable {
    let peer: PeerIdentity
    let transfer: UInt64
    /// The SHA-256 of the file's content, 32 bytes.
    let hash: [UInt8]
}

package enum FileEnding: String, Sendable {
    case stored
    case cancelled
}

struct ExpectedFile: Sendable {
    let origin: FileOrigin
    let label: FileLabel
    let length: UInt64
    let metadata: [UInt8]?

    var partName: String {
        let digits = origin.hash.map { "\(HexadecimalText($0))" }
        let peer = String(origin.peer.rawValue, radix: 16)
        return FileDirectory.prefix + "\(peer)-" + String(origin.transfer, radix: 16) + "-" + digits.joined()
            + FileDirectory.partEnding
    }
}

/// The hidden file that holds the content of an incoming transfer until the transfer is complete. Calls block on the disk,
/// and must not overlap.
final class PartFile: Sendable {
    private enum State {
        case closed
        case open(OpenedFile, SHA256, length: UInt64)
    }

    let expected: ExpectedFile
    private let directory: FileDirectory
    private let stored = Mutex(State.closed)

    init(_ expected: ExpectedFile, in directory: FileDirectory) {
        self.expected = expected
        self.directory = directory
    }

    private var state: State {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    private var system: FileSystem { directory.system }
    private var partPath: String { directory.path(of: expected.partName) }

    /// Opens the file, or creates it. Returns how many bytes an earlier link has stored, from the start of the file.
    ///
    /// First, deletes the oldest partial files that are not in use, until at most 32 of them are left.
    /// - Parameter used: the names of the partial files in use.
    func open(beside used: Set<String>) throws(WormholeError) -> UInt64 {
        try directory.tidy(except: used)
        let part: OpenedFile
        do throws(WormholeError) {
            part = try system.open(partPath, O_RDWR | O_NOFOLLOW)
        } catch {
            guard case .system(_, _, .noSuchFileOrDirectory) = error else { throw error }
            state = .open(try system.open(partPath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW), SHA256(), length: 0)
            return 0
        }
        let length = UInt64(try system.information(of: part).st_size)
        guard length <= expected.length else {
            try system.empty(part)
            state = .open(part, SHA256(), length: 0)
            return 0
        }
        var hash = SHA256()
        var read: UInt64 = 0
        try system.read(part, upTo: length) { bytes in
            hash.update(bytes)
            read += UInt64(bytes.count)
        }
        state = .open(part, hash, length: read)
        return read
    }

    func append(_ frames: [[UInt8]], after header: Int) throws(WormholeError) {
        guard case .open(let file, var hash, var length) = state else { throw .closed }
        for frame in frames {
            let bytes = frame[header...]
            try system.write(bytes, to: file, at: length)
            bytes.withUnsafeBytes { hash.update($0) }
            length += UInt64(bytes.count)
        }
        state = .open(file, hash, length: length)
    }

    /// If the hash is right, links the complete file under its final name. The file keeps its hidden name too, until the
    /// store has recorded the file as stored. If the power fails before that, the next link checks the hash again.
    func verify() throws(WormholeError) -> FileJob.Outcome {
        guard case .open(let file, let hash, _) = state else { throw .closed }
        guard hash.digest.elementsEqual(expected.origin.hash) else { return .wrongHash }
        try system.synchronize(file)
        for attempt in 1...TransferLimits.mostNames {
            let name = expected.label.name(attempt)
            if try !system.link(partPath, as: directory.path(of: name)) {
                guard try isPart(name, file) else { continue }
            }
            try directory.synchronize()
            state = .closed
            return .named(directory.path(of: name))
        }
        throw .system(call: "link", path: directory.path(of: expected.label.text), .fileExists)
    }

    /// Whether `name` is a hard link to the partial file. An earlier run of the endpoint may have made that link.
    private func isPart(_ name: String, _ part: OpenedFile) throws(WormholeError) -> Bool {
        guard let other = try? system.open(directory.path(of: name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
            return false
        }
        let (own, found) = (try system.information(of: part), try system.information(of: other))
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }

    func restart() throws(WormholeError) {
        guard case .open(let file, _, _) = state else { throw .closed }
        try system.empty(file)
        state = .open(file, SHA256(), length: 0)
    }

    /// Closes the file. The content stays for the next link.
    func close() { state = .closed }

    func discard() {
        state = .closed
        try? system.remove(partPath)
    }
}
