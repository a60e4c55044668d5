import Glibc
import WatchLink

/// A disk in memory for the databases of one thread. Its paths begin with `VirtualDisk.root`.
final class VirtualDisk {
    static let root = "/tapline-soak/"

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var current: VirtualDisk? {
        pthread_getspecific(key).map { Unmanaged<VirtualDisk>.fromOpaque($0).takeUnretainedValue() }
    }

    private(set) var files: [String: DiskFile] = [:]
    /// The process that owns the files that SQLite opens from now on.
    var process = DiskProcess()
    private var handles: [ObjectIdentifier: DiskHandle] = [:]
    private var random: SplitMix64
    let syncs: Bool
    private(set) var writes = 0

    init(seed: UInt64, syncs: Bool = true) {
        random = SplitMix64(seed: seed)
        self.syncs = syncs
    }

    /// Puts this thread's databases on `disk` while `body` runs.
    static func use<Result>(_ disk: VirtualDisk, _ body: () throws -> Result) rethrows -> Result {
        DiskFileSystem.install()
        let before = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(disk).toOpaque())
        defer { pthread_setspecific(key, before) }
        return try body()
    }

    /// Makes `process` the owner of the files that SQLite opens while `body` runs.
    func use<Result>(_ process: DiskProcess, _ body: () throws -> Result) rethrows -> Result {
        let before = self.process
        self.process = process
        defer { self.process = before }
        return try body()
    }

    // MARK: What SQLite asks for

    func open(_ path: String?, orMake isWanted: Bool) -> DiskHandle? {
        guard process.isRunning else { return nil }
        let file: DiskFile
        if let path {
            if let present = files[path] {
                file = present
            } else {
                guard isWanted else { return nil }
                file = DiskFile()
                files[path] = file
            }
        } else {
            file = DiskFile()
        }
        let handle = DiskHandle(file, of: process, on: self)
        handles[ObjectIdentifier(handle)] = handle
        return handle
    }

    func close(_ handle: DiskHandle) {
        handle.file.locks.releaseAll(of: ObjectIdentifier(handle))
        handles[ObjectIdentifier(handle)] = nil
        // SQLite makes a new index from the log when a program next opens the database.
        if !handles.values.contains(where: { $0.file === handle.file }) { handle.file.dropRegions() }
    }

    func delete(_ path: String) {
        if process.isRunning { files[path] = nil }
    }

    func noteWrite() { writes += 1 }

    func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
    }

    // MARK: What happens to it

    /// Releases the locks of a process that has ended. The writes of the process stay.
    func release(_ process: DiskProcess) {
        for handle in handles.values where handle.process === process {
            handle.file.locks.releaseAll(of: ObjectIdentifier(handle))
        }
        dropIndexes()
    }

    /// Cuts the power of the computer whose files are in `directory`. Its processes are killed, and unsynced writes may
    /// be lost.
    func losePower(_ directory: String) {
        let present = files(in: directory)
        for handle in handles.values where present.contains(where: { $0.file === handle.file }) {
            handle.process.kill()
            handle.file.locks.releaseAll(of: ObjectIdentifier(handle))
        }
        for (_, file) in present { file.losePower(&random) }
        dropIndexes()
    }

    private func dropIndexes() {
        for file in files.values where !handles.values.contains(where: { $0.file === file && $0.process.isRunning }) {
            file.dropRegions()
        }
    }

    private func files(in directory: String) -> [(path: String, file: DiskFile)] {
        files.filter { $0.key.hasPrefix(directory) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func image(of directory: String) -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: files(in: directory).map { ($0.path, $0.file.bytes) })
    }

    /// Replaces all files in `directory`. No program may have them open.
    func restore(_ image: [String: [UInt8]], in directory: String) {
        for (path, _) in files(in: directory) { files[path] = nil }
        for (path, bytes) in image { files[path] = DiskFile(bytes) }
    }

    func size(of directory: String) -> Int { files(in: directory).reduce(0) { $0 + $1.file.bytes.count } }
}

final class DiskHandle {
    let file: DiskFile
    let process: DiskProcess
    unowned let disk: VirtualDisk

    init(_ file: DiskFile, of process: DiskProcess, on disk: VirtualDisk) {
        self.file = file
        self.process = process
        self.disk = disk
    }
}
