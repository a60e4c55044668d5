import GRDBSQLite
import Glibc

/// SQLite's own file system. Every thread may use it, because it does not change after it is found.
nonisolated(unsafe) private let original: UnsafeMutablePointer<sqlite3_vfs> = {
    guard let original = sqlite3_vfs_find("unix") else { preconditionFailure("SQLite has no file system") }
    return original
}()

/// The file system that SQLite uses. Paths below `VirtualDisk.root` are on the current thread's virtual disk. Other
/// paths are on the machine's disk.
enum DiskFileSystem {
    /// An open file. SQLite requires that the file begins with `sqlite3_file`.
    private struct OpenFile {
        var base: sqlite3_file
        var handle: Unmanaged<DiskHandle>?
    }

    /// The values of macros in sqlite3.h, such as `SQLITE_IOERR_READ`.
    private enum Code {
        static let ioRead = SQLITE_IOERR | 1 << 8
        static let shortRead = SQLITE_IOERR | 2 << 8
        static let ioWrite = SQLITE_IOERR | 3 << 8
        static let ioSync = SQLITE_IOERR | 4 << 8
        static let ioTruncate = SQLITE_IOERR | 6 << 8
        static let powersafeOverwrite: Int32 = 0x1000
    }

    /// Registers this file system with SQLite, once. SQLite keeps `table`, so `table` is never freed.
    private static let installed: Void = {
        let table = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        table.initialize(to: original.pointee)
        table.pointee.zName = UnsafePointer(strdup("tapline-soak"))
        table.pointee.pNext = nil
        table.pointee.szOsFile = max(original.pointee.szOsFile, Int32(MemoryLayout<OpenFile>.size))
        fill(&table.pointee)
        sqlite3_vfs_register(table, 1)
    }()

    /// Every thread may use the table, because nothing writes it after it is made.
    nonisolated(unsafe) fileprivate static let methods = makeMethods()

    private static func makeMethods() -> UnsafePointer<sqlite3_io_methods> {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 2
        fillReading(&methods.pointee)
        fillWriting(&methods.pointee)
        fillLocking(&methods.pointee)
        fillIndex(&methods.pointee)
        return UnsafePointer(methods)
    }

    static func install() { installed }

    private static func isOurs(_ path: UnsafePointer<CChar>?) -> Bool {
        guard let path else { return VirtualDisk.current != nil }
        return strncmp(path, VirtualDisk.root, VirtualDisk.root.utf8.count) == 0
    }

    private static func opened(_ file: UnsafeMutablePointer<sqlite3_file>?) -> DiskHandle {
        file.unsafelyUnwrapped.withMemoryRebound(to: OpenFile.self, capacity: 1) {
            guard let handle = $0.pointee.handle else { preconditionFailure("SQLite uses a file that is closed") }
            return handle.takeUnretainedValue()
        }
    }

    private static func fill(_ table: inout sqlite3_vfs) {
        table.xOpen = { _, path, file, flags, outFlags in
            guard DiskFileSystem.isOurs(path) else {
                return original.pointee.xOpen(original, path, file, flags, outFlags)
            }
            return file.unsafelyUnwrapped.withMemoryRebound(to: OpenFile.self, capacity: 1) {
                $0.pointee.base.pMethods = nil
                $0.pointee.handle = nil
                let name = path.map { String(cString: $0) }
                guard let disk = VirtualDisk.current,
                    let handle = disk.open(name, orMake: flags & SQLITE_OPEN_CREATE != 0)
                else { return SQLITE_CANTOPEN }
                $0.pointee.handle = Unmanaged.passRetained(handle)
                $0.pointee.base.pMethods = DiskFileSystem.methods
                outFlags?.pointee = flags
                return SQLITE_OK
            }
        }
        table.xDelete = { _, path, sync in
            guard DiskFileSystem.isOurs(path) else {
                return original.pointee.xDelete(original, path, sync)
            }
            if let path { VirtualDisk.current?.delete(String(cString: path)) }
            return SQLITE_OK
        }
        table.xAccess = { _, path, flags, result in
            guard DiskFileSystem.isOurs(path) else {
                return original.pointee.xAccess(original, path, flags, result)
            }
            let file = path.flatMap { VirtualDisk.current?.files[String(cString: $0)] }
            // An empty file counts as missing, as in SQLite's own file system.
            result?.pointee = file.map { $0.bytes.isEmpty ? 0 : 1 } ?? 0
            return SQLITE_OK
        }
        table.xFullPathname = { _, path, count, result in
            guard DiskFileSystem.isOurs(path), let path, let result else {
                return original.pointee.xFullPathname(original, path, count, result)
            }
            guard strlen(path) < Int(count) else { return SQLITE_CANTOPEN }
            strcpy(result, path)
            return SQLITE_OK
        }
        table.xRandomness = { _, count, bytes in
            guard let disk = VirtualDisk.current else {
                return original.pointee.xRandomness(original, count, bytes)
            }
            disk.fill(UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
    }

    private static func fillReading(_ methods: inout sqlite3_io_methods) {
        methods.xClose = { file in
            file.unsafelyUnwrapped.withMemoryRebound(to: OpenFile.self, capacity: 1) {
                guard let owned = $0.pointee.handle else { return }
                let handle = owned.takeRetainedValue()
                handle.disk.close(handle)
                $0.pointee.handle = nil
            }
            return SQLITE_OK
        }
        methods.xRead = { file, target, count, offset in
            let handle = DiskFileSystem.opened(file)
            guard handle.process.isRunning, let target else { return Code.ioRead }
            let read = handle.file.read(target, Int(count), at: Int(offset))
            guard read < Int(count) else { return SQLITE_OK }
            memset(target + read, 0, Int(count) - read)
            return Code.shortRead
        }
        methods.xFileSize = { file, size in
            size?.pointee = Int64(DiskFileSystem.opened(file).file.bytes.count)
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4_096 }
        methods.xDeviceCharacteristics = { _ in Code.powersafeOverwrite }
    }

    private static func fillWriting(_ methods: inout sqlite3_io_methods) {
        methods.xWrite = { file, source, count, offset in
            let handle = DiskFileSystem.opened(file)
            switch handle.process.beginWrite() {
            case .failing: return Code.ioWrite
            case .full: return SQLITE_FULL
            case nil: break
            }
            handle.disk.noteWrite()
            if let source { handle.file.write(source, Int(count), at: Int(offset)) }
            return SQLITE_OK
        }
        methods.xTruncate = { file, size in
            let handle = DiskFileSystem.opened(file)
            guard handle.process.beginWrite() == nil else { return Code.ioTruncate }
            handle.file.truncate(to: Int(size))
            return SQLITE_OK
        }
        methods.xSync = { file, _ in
            let handle = DiskFileSystem.opened(file)
            guard handle.process.beginWrite() == nil else { return Code.ioSync }
            if handle.disk.syncs { handle.file.sync() }
            return SQLITE_OK
        }
    }

    private static func fillLocking(_ methods: inout sqlite3_io_methods) {
        methods.xLock = { file, level in
            let handle = DiskFileSystem.opened(file)
            return handle.file.locks.raise(ObjectIdentifier(handle), to: level) ? SQLITE_OK : SQLITE_BUSY
        }
        methods.xUnlock = { file, level in
            let handle = DiskFileSystem.opened(file)
            handle.file.locks.lower(ObjectIdentifier(handle), to: level)
            return SQLITE_OK
        }
        methods.xCheckReservedLock = { file, result in
            result?.pointee = DiskFileSystem.opened(file).file.locks.isReserved ? 1 : 0
            return SQLITE_OK
        }
    }

    private static func fillIndex(_ methods: inout sqlite3_io_methods) {
        methods.xShmMap = { file, number, size, isWanted, result in
            let handle = DiskFileSystem.opened(file)
            guard handle.process.isRunning else { return SQLITE_IOERR }
            result?.pointee = handle.file.region(Int(number), size: Int(size), orMake: isWanted != 0)
            return SQLITE_OK
        }
        methods.xShmLock = { file, first, count, flags in
            let handle = DiskFileSystem.opened(file)
            guard handle.process.isRunning else { return SQLITE_IOERR }
            let places = Int(first)..<Int(first + count)
            let isExclusive = flags & SQLITE_SHM_EXCLUSIVE != 0
            if flags & SQLITE_SHM_UNLOCK != 0 {
                handle.file.locks.release(places, alone: isExclusive, of: ObjectIdentifier(handle))
                return SQLITE_OK
            }
            return handle.file.locks.take(places, alone: isExclusive, for: ObjectIdentifier(handle))
                ? SQLITE_OK : SQLITE_BUSY
        }
        methods.xShmBarrier = { _ in }
        methods.xShmUnmap = { file, isLast in
            if isLast != 0 { DiskFileSystem.opened(file).file.dropRegions() }
            return SQLITE_OK
        }
    }
}
