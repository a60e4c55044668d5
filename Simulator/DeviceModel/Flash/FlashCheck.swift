import Glibc
import HostSystem
import Watch
import WatchLink

/// What is in a file of a watch's flash, what is damaged, and what the next start makes of it. The file is only read.
package struct FlashCheck: Sendable {
    /// Records of one kind.
    package struct Records: Sendable, Equatable {
        /// What they hold; nil for a kind that this version does not know.
        package var name: String?
        package var kind: UInt8
        package var count: Int
        package var unreadable: Int
    }

    /// Bytes of the log that are no record: decayed, or left by an interrupted write that later records account for.
    package struct Stretch: Sendable, Equatable {
        /// Addresses in the file.
        package var addresses: Range<Int>
    }

    /// A message that waits for the phone.
    package enum Waiting: Sendable, Equatable {
        /// A check-off; the title is nil where the log no longer has it.
        case checkOff(item: UInt32, title: String?)
        /// A past item that was added back; the title is nil where the log no longer has it.
        case addition(item: UInt32, title: String?)
        /// A request for the whole list.
        case reload
        /// A message of the handler's own.
        case handler
    }

    /// Whether a watch runs on the file.
    package enum Use: Sendable, Equatable {
        case idle
        /// A watch has it locked: it may have changed while it was read.
        case running
    }

    /// How much of the chip the file has.
    package enum Extent: Sendable, Equatable {
        case whole
        /// So many bytes, all erased: a watch that starts on it makes the chip out of it, which was never written.
        case begun(bytes: Int)
    }

    package let path: String
    package let use: Use
    package let extent: Extent
    package let findings: FlashFindings
    package let records: [Records]
    package let stretches: [Stretch]
    /// The titles of the rows, in order; one that was too long for the watch ends with an ellipsis.
    package let rows: [String]
    package let waiting: [Waiting]

    /// Reads the file at `path`.
    ///
    /// - Throws: `FlashFileError`.
    package init(path: String) throws(FlashFileError) {
        let (bytes, use) = try FlashCheck.read(path)
        if FlashCheck.geometries(of: bytes.count).isEmpty {
            let missing = FlashCheck.usual.capacity - bytes.count
            guard missing > 0, bytes.allSatisfy({ $0 == 0xFF }) else {
                throw .wrongSize(path: path, expected: FlashCheck.usual.capacity, found: bytes.count)
            }
            let chip = bytes + [UInt8](repeating: 0xFF, count: missing)
            try self.init(path: path, use: use, extent: .begun(bytes: bytes.count), chip: chip)
        } else {
            try self.init(path: path, use: use, extent: .whole, chip: bytes)
        }
    }

    private init(path: String, use: Use, extent: Extent, chip bytes: [UInt8]) throws(FlashFileError) {
        let readings = FlashCheck.geometries(of: bytes.count).compactMap { FlashReading(bytes, as: $0) }
        // A chip in memory of a possible geometry reports no error.
        guard let best = readings.first(where: \.isWhole) ?? readings.min(by: { $0.damage < $1.damage }) else {
            throw .cannotOpen(path: path, code: EIO)
        }
        self.path = path
        self.use = use
        self.extent = extent
        findings = best.findings
        records = best.notes.records
        stretches = best.notes.stretches(findings)
        rows = best.notes.rows
        waiting = best.notes.waiting
    }

    /// 64 KB in sixteen sectors, of the simulated watch as of the firmware.
    private static var usual: FlashGeometry { FlashGeometry(sectorCount: 16) }

    /// The chips of this size that a program with a board of its own may have, the usual one first. What is read differs
    /// by the size of a bank and of a page alone.
    private static func geometries(of size: Int) -> [FlashGeometry] {
        guard size != usual.capacity else { return [usual] }
        var chips: [FlashGeometry] = []
        for sector in [4_096, 1_024, 2_048, 8_192, 16_384, 32_768, 65_536] where size % sector == 0 {
            for page in [256, 128, 512, 64] where sector % page == 0 {
                let chip = FlashGeometry(pageSize: page, sectorSize: sector, sectorCount: size / sector)
                let isNew = !chips.contains { $0.pageSize == page && $0.bankSize == chip.bankSize }
                if isNew, (2...1_024).contains(chip.sectorCount), chip.bankSize >= 2_048 { chips.append(chip) }
            }
        }
        return chips
    }

    /// The bytes of the chip, which is at the start of the file, or of the part of it that there is.
    private static func read(_ path: String) throws(FlashFileError) -> ([UInt8], Use) {
        let descriptor: CInt
        do throws(HostSystemError) {
            descriptor = try Descriptors.open(path, O_RDONLY | O_NONBLOCK)
        } catch {
            throw .cannotOpen(path: path, code: error.reason.rawValue)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(path: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        let found = Int(status.st_size)
        // The firmware's file holds all of the memory that begins with the chip.
        let size = found == firmwareSize ? usual.capacity : found
        // A shorter file may be what a watch has begun, or somebody has made for it: its bytes tell.
        guard size < firmwareSize, size < usual.capacity || !geometries(of: size).isEmpty else {
            throw .wrongSize(path: path, expected: usual.capacity, found: found)
        }
        let use: Use = flock(descriptor, LOCK_SH | LOCK_NB) == 0 ? .idle : .running
        var bytes = [UInt8](repeating: 0, count: size)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .cannotOpen(path: path, code: count < 0 ? errno : EIO) }
            done += count
        }
        return (bytes, use)
    }

    /// 16 MB: the memory of the firmware's board that begins with its chip.
    private static var firmwareSize: Int { 16_777_216 }
}

/// What a chip of one geometry would make of the bytes of a file.
private struct FlashReading {
    let findings: FlashFindings
    let notes: FlashNotes

    /// Nil where the journal takes no such chip.
    init?(_ bytes: [UInt8], as geometry: FlashGeometry) {
        var flash = ObservedFlash(MemoryFlash(geometry, contents: bytes))
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: FlashExamination.memorySize, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        let examination = FlashExamination(memory: memory)
        guard let result = try? examination.examine(&flash, for: FlashNotes(reads: flash.reads)) else { return nil }
        (findings, notes) = (result.findings, result.observer)
    }

    /// Whether it is a log, and nothing of it is lost.
    var isWhole: Bool {
        guard case .log = findings.origin else { return false }
        return findings.isComplete
    }

    /// How much of it makes no sense; the most where there is no log.
    var damage: Int {
        guard case .log = findings.origin else { return .max }
        return findings.damaged + notes.records.reduce(0) { $0 + $1.unreadable }
    }
}

extension FlashGeometry {
    /// Half of the chip, in whole sectors.
    fileprivate var bankSize: Int { sectorCount / 2 * sectorSize }
}

/// A chip that remembers where the last header of a record was read.
private struct ObservedFlash: NORFlash {
    final class Reads {
        /// The address and the length of the last two reads, the newest last.
        fileprivate(set) var last: [(address: Int, count: Int)] = [(0, 0), (0, 0)]
    }

    private var chip: MemoryFlash
    let reads = Reads()

    init(_ chip: MemoryFlash) { self.chip = chip }

    var flashGeometry: FlashGeometry { chip.flashGeometry }
    var flashActivity: FlashActivity { .ready }

    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        reads.last = [reads.last[1], (address, destination.count)]
        try chip.readFlash(at: address, into: &destination)
    }

    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        try chip.programFlash(at: address, bytes)
    }

    mutating func beginErase(sector: Int) throws(FlashError) {
        try chip.beginErase(sector: sector)
    }

    mutating func finishErase() { chip.finishErase() }
}

/// Notes of what was read, in order.
private struct FlashNotes: FlashObserver {
    let reads: ObservedFlash.Reads
    private(set) var records: [FlashCheck.Records] = []
    private(set) var rows: [String] = []
    private(set) var waiting: [FlashCheck.Waiting] = []
    private var places: [Range<Int>] = []
    private var titles: [UInt32: String] = [:]

    init(reads: ObservedFlash.Reads) { self.reads = reads }

    mutating func sawRecord(_ kind: UInt8, named name: StaticString?, size: Int, _ reading: RecordReading) {
        // The header was read before the payload.
        places.append(reads.last[0].address..<reads.last[0].address + size)
        let isUnreadable =
            switch reading {
            case .applied, .unknownKind: false
            case .unreadable: true
            }
        let index = records.firstIndex { $0.kind == kind } ?? records.endIndex
        if index == records.endIndex {
            records.append(FlashCheck.Records(name: name?.description, kind: kind, count: 0, unreadable: 0))
        }
        records[index].count += 1
        if isUnreadable { records[index].unreadable += 1 }
    }

    mutating func sawGap(size: Int) { places.append(reads.last[0].address..<reads.last[0].address + size) }

    mutating func sawItem(_ id: ItemID, _ title: ItemTitle) {
        if titles[id.rawValue] == nil { titles[id.rawValue] = FlashNotes.text(title) }
    }

    mutating func sawRow(_ id: ItemID, _ title: ItemTitle) { rows.append(FlashNotes.text(title)) }

    mutating func sawWaiting(_ message: WaitingMessage) {
        switch message {
        case .checkOff(let item, _): waiting.append(.checkOff(item: item.rawValue, title: titles[item.rawValue]))
        case .addition(let item, _): waiting.append(.addition(item: item.rawValue, title: titles[item.rawValue]))
        case .reload: waiting.append(.reload)
        case .handler: waiting.append(.handler)
        }
    }

    private static func text(_ title: ItemTitle) -> String {
        switch title.completeness {
        case .whole: title.text
        case .cut: title.text + "…"
        }
    }

    /// What lies between the records.
    func stretches(_ findings: FlashFindings) -> [FlashCheck.Stretch] {
        guard case .log(let bank, _) = findings.origin else { return [] }
        let start = bank * findings.bankSize
        var end = start + findings.firstRecord
        var stretches: [FlashCheck.Stretch] = []
        for place in places {
            if place.lowerBound > end { stretches.append(FlashCheck.Stretch(addresses: end..<place.lowerBound)) }
            end = place.upperBound
        }
        if findings.tornBytes > 0 || start + findings.end > end {
            stretches.append(FlashCheck.Stretch(addresses: end..<max(start + findings.end, end + findings.tornBytes)))
        }
        return stretches
    }
}
