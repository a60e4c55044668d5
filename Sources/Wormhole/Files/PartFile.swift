import Glibc
import HostSystem
import Synchronization

/// What a file is that arrives: which transfer, and what its content must be.
struct ExpectedFile: Sendable {
    let transfer: UInt64
    let peer: PeerIdentity
    let label: FileLabel
    let length: UInt64
    /// SHA-256, 32 bytes.
    let hash: [UInt8]
    let metadata: [UInt8]?

    /// The beginning of its hidden names: whose it is, which transfer, and what its content must be.
    var hiddenName: String {
        let digits = hash.map { "\(HexadecimalText($0))" }
        let peer = String(peer.rawValue, radix: 16)
        return FileDirectory.prefix + "\(peer)-" + String(transfer, radix: 16) + "-" + digits.joined()
    }

    /// The name of the file in which it arrives.
    var partName: String { hiddenName + FileDirectory.partEnding }
}

/// The file in which a transfer arrives, hidden until it is whole. Its calls block, and one is made at a time.
final class PartFile: Sendable {
    /// What an earlier link has left.
    enum Kept {
        /// The first bytes of the content, this many.
        case part(UInt64)
        /// The whole file, stored under its name.
        case whole
        /// Nothing: somebody here has cancelled it.
        case cancelled
    }

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
    private var cancelledPath: String { directory.path(of: expected.hiddenName + FileDirectory.cancelledEnding) }
    private var finishedPath: String { directory.path(of: expected.hiddenName + FileDirectory.finishedEnding) }

    /// Opens it, and looks for what an earlier link has left.
    ///
    /// - Parameter used: the names of all parts that are under way.
    func open(beside used: Set<String>) throws(WormholeError) -> Kept {
        try directory.tidy(except: used)
        if (try? system.open(cancelledPath, O_RDONLY | O_NOFOLLOW)) != nil { return .cancelled }
        let part: OpenedFile
        do throws(WormholeError) {
            part = try system.open(partPath, O_RDWR | O_NOFOLLOW)
        } catch {
            guard case .system(_, _, .noSuchFileOrDirectory) = error else { throw error }
            if (try? system.open(finishedPath, O_RDONLY | O_NOFOLLOW)) != nil { return .whole }
            state = .open(try system.open(partPath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW), SHA256(), length: 0)
            return .part(0)
        }
        let length = UInt64(try system.information(of: part).st_size)
        guard length <= expected.length else {
            try system.empty(part)
            state = .open(part, SHA256(), length: 0)
            return .part(0)
        }
        var hash = SHA256()
        var read: UInt64 = 0
        try system.read(part, upTo: length) { bytes in
            hash.update(bytes)
            read += UInt64(bytes.count)
        }
        state = .open(part, hash, length: read)
        return .part(read)
    }

    /// Appends content: what is behind the first `header` bytes of each frame.
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

    /// Compares the hash of the whole, and gives it its name where that is right.
    func judge() throws(WormholeError) -> FileJob.Outcome {
        guard case .open(let file, let hash, _) = state else { throw .closed }
        guard hash.digest.elementsEqual(expected.hash) else { return .wrongHash }
        try system.synchronize(file)
        for attempt in 1...TransferLimits.mostNames {
            let name = expected.label.name(attempt)
            // Written before the file has its name: if the power goes in between, the part is still there, and is judged again.
            try remember(name)
            if try !system.link(partPath, as: directory.path(of: name)) {
                guard try isPart(name, file) else { continue }
            }
            try system.remove(partPath)
            try directory.synchronize()
            state = .closed
            return .stored(directory.path(of: name))
        }
        throw .system(call: "link", path: directory.path(of: expected.label.text), .fileExists)
    }

    /// Whether a name is that of this file, which a run that ended before gave it.
    private func isPart(_ name: String, _ part: OpenedFile) throws(WormholeError) -> Bool {
        guard let other = try? system.open(directory.path(of: name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
            return false
        }
        let (own, found) = (try system.information(of: part), try system.information(of: other))
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }

    private func remember(_ name: String) throws(WormholeError) {
        let file = try system.open(finishedPath, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        try system.write(Array(name.utf8)[...], to: file, at: 0)
        try system.synchronize(file)
    }

    /// Begins with nothing.
    func restart() throws(WormholeError) {
        guard case .open(let file, _, _) = state else { throw .closed }
        try system.empty(file)
        state = .open(file, SHA256(), length: 0)
    }

    /// Closes it. What has arrived stays for the next link.
    func close() { state = .closed }

    /// Closes and removes it.
    func discard() {
        state = .closed
        try? system.remove(partPath)
        try? system.remove(finishedPath)
    }

    /// Closes and removes it, and remembers that nobody here wants it.
    func cancel() {
        discard()
        // Where that cannot be written, a sender that is not told offers it again, and it is cancelled once more.
        _ = try? system.open(cancelledPath, O_WRONLY | O_CREAT | O_NOFOLLOW)
    }
}
