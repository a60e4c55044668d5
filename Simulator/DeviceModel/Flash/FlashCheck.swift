import Glibc
import HostSystem
import Watch
import WatchLink

/// What a check of a flash file has found: the damage, and what the watch will read from the file at its next start. The check
/// does not change the file.
package struct FlashCheck: Sendable {
    /// A message that is not yet delivered to the phone. A title is nil if it is no longer in the flash file.
    package enum Waiting: Sendable, Equatable {
        case checkOff(item: UInt32, title: String?)
        case addition(item: UInt32, title: String?)
        case reload
        case handler
    }

    package let path: String
    /// Whether a running watch has locked the file. If so, the file may have changed during the read.
    package let isInUse: Bool
    package let findings: FlashFindings
    package let waiting: [Waiting]

    package init(path: String) throws(FlashFileError) {
        self.path = path
        let bytes: [UInt8]
        (bytes, isInUse) = try FlashCheck.read(path)
        let missing = FlashCheck.geometry.capacity - bytes.count
        // A file that is too short but blank counts as an erased chip. A watch that uses the file completes it.
        guard missing == 0 || bytes.allSatisfy({ $0 == 0xFF }) else {
            throw .wrongSize(path: path, expected: FlashCheck.geometry.capacity, found: bytes.count)
        }
        var flash = MemoryFlash(FlashCheck.geometry, contents: bytes + [UInt8](repeating: 0xFF, count: missing))
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: FlashExamination.memorySize, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        do throws(JournalError) {
            let result = try FlashExamination(memory: memory).examine(&flash, for: FlashNotes())
            (findings, waiting) = (result.findings, result.observer.waiting)
        } catch {
            // A chip in memory with the right geometry has no errors.
            throw .cannotOpen(path: path, code: EIO)
        }
    }

    /// The layout of the journal (the watch's log), with 64 KB in sixteen sectors. A flash file begins with the journal.
    private static var geometry: FlashGeometry { FlashGeometry(sectorCount: 16) }

    private static func read(_ path: String) throws(FlashFileError) -> ([UInt8], isInUse: Bool) {
        let descriptor: CInt
        do throws(HostSystemError) {
            descriptor = try Descriptors.open(path, O_RDONLY | O_NONBLOCK)
        } catch {
            throw .cannotOpen(path: path, code: error.reason.rawValue)
        }
        defer { close(descriptor) }
        let size = min(Int(try FlashFile.status(descriptor, path: path).st_size), geometry.capacity)
        let isInUse = flock(descriptor, LOCK_SH | LOCK_NB) != 0
        var bytes = [UInt8](repeating: 0, count: size)
        guard FlashFile.transfer(at: 0, &bytes, using: { pread(descriptor, $0, $1, $2) }) else {
            throw .cannotOpen(path: path, code: errno == 0 ? EIO : errno)
        }
        return (bytes, isInUse)
    }
}

private struct FlashNotes: FlashObserver {
    private(set) var waiting: [FlashCheck.Waiting] = []
    private var titles: [UInt32: String] = [:]

    mutating func sawItem(_ id: ItemID, _ title: ItemTitle) {
        guard titles[id.rawValue] == nil else { return }
        titles[id.rawValue] =
            switch title.completeness {
            case .whole: title.text
            case .cut: title.text + "…"
            }
    }

    mutating func sawWaiting(_ message: OutboxMessage) {
        switch message {
        case .checkOff(let item, _): waiting.append(.checkOff(item: item.rawValue, title: titles[item.rawValue]))
        case .addition(let item, _): waiting.append(.addition(item: item.rawValue, title: titles[item.rawValue]))
        case .reload: waiting.append(.reload)
        case .handler: waiting.append(.handler)
        }
    }
}
