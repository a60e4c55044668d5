import Synchronization
import Watch
import WatchLink

/// A flash chip in memory. It follows the rules of NOR flash, counts operations, and fails when a test tells it to.
///
/// A copy is a second chip with the same contents. What a failed operation leaves on the chip depends only on a seed, so a test
/// can repeat it.
public struct MemoryFlash: Sendable {
    package enum EraseEnd: Sendable, Equatable {
        /// The erase ends before `beginErase` returns.
        case atOnce
        /// The erase ends after `flashActivity` has returned `.erasing` this many times.
        case afterQueries(Int)
        /// The erase ends only when `finishErase` is called, or when an operation has to wait for the erase.
        case onRequest
    }

    package struct Counts: Sendable, Equatable {
        package var programs = 0
        package var erases = 0
        package var reads = 0
        /// The number of operations that waited for the end of an erase.
        package var waits = 0
        /// The number of read and program operations that suspended an erase.
        package var suspensions = 0
        /// The number of program operations that would have to set a bit, which only an erase can do.
        package var violations = 0

        package var operations: Int { programs + erases }
    }

    package enum Power: Sendable {
        case on
        /// After this many program and erase operations, the next such operation stops halfway, and the power is then off.
        case failing(operations: Int, noise: FlashNoise)
        case off
    }

    package enum Fault: Sendable {
        case none
        /// After this many program and erase operations, the next such operation stops halfway and throws the error. All later
        /// operations complete.
        case pending(FlashError, operations: Int, noise: FlashNoise)
    }

    private enum Completion {
        case whole
        case torn(FlashError, FlashNoise)
    }

    /// The chip's layout.
    public let flashGeometry: FlashGeometry
    /// The chip's bytes. An erase changes them only when it ends.
    package var contents: [UInt8]
    package private(set) var eraseCounts: [Int]
    package var counts = Counts()
    package var eraseEnd: EraseEnd
    package var power = Power.on
    package var fault = Fault.none
    private var erase: (sector: Int, queriesLeft: Int)?
    /// The worn-out sectors. A program operation in one of them changes nothing and throws `.verifyFailed`.
    package var wornSectors: Set<Int> = []

    /// An erased chip with the usual layout of simulated boards: 64 KB for the journal (the watch's log), and 136 KB for two
    /// files.
    public static var usual: MemoryFlash { MemoryFlash(FlashGeometry(sectorCount: 50, fileSectorCount: 34)) }

    /// Creates an erased chip.
    public init(_ geometry: FlashGeometry) {
        self.init(geometry, contents: nil)
    }

    package init(_ geometry: FlashGeometry, contents: [UInt8]? = nil, eraseEnd: EraseEnd = .atOnce) {
        flashGeometry = geometry
        self.contents = contents ?? Array(repeating: 0xFF, count: geometry.capacity)
        precondition(self.contents.count == geometry.capacity, "the contents are not as long as the chip")
        self.eraseEnd = eraseEnd
        eraseCounts = Array(repeating: 0, count: geometry.sectorCount)
    }

    /// Ends a running erase at once. Its sector then contains only 0xFF.
    public mutating func finishErase() {
        guard let sector = erase?.sector else { return }
        for address in addresses(of: sector) { contents[address] = 0xFF }
        erase = nil
    }

    private func addresses(of sector: Int) -> Range<Int> {
        sector * flashGeometry.sectorSize..<(sector + 1) * flashGeometry.sectorSize
    }

    private mutating func waitForErase() {
        guard erase != nil else { return }
        counts.waits += 1
        finishErase()
    }

    /// Suspends a running erase. If the bytes are in the sector that is being erased, waits for the end of the erase instead.
    private mutating func suspendErase(for address: Int, count: Int) {
        guard let sector = erase?.sector else { return }
        if addresses(of: sector).overlaps(address..<address + count) {
            waitForErase()
        } else {
            counts.suspensions += 1
        }
    }

    /// Stops a running erase, as a loss of power does. `noise` decides the contents of its sector.
    package mutating func tearErase(_ noise: inout FlashNoise) {
        guard let sector = erase?.sector else { return }
        noise.tearErase(&contents, addresses(of: sector))
        erase = nil
    }

    private func requirePower() throws(FlashError) {
        if case .off = power { throw .notResponding }
    }

    private mutating func nextCompletion() -> Completion {
        switch power {
        case .on, .off: break
        case .failing(0, var noise):
            power = .off
            tearErase(&noise)
            return .torn(.notResponding, noise)
        case .failing(let operations, let noise): power = .failing(operations: operations - 1, noise: noise)
        }
        switch fault {
        case .none: return .whole
        case .pending(let error, 0, let noise):
            fault = .none
            return .torn(error, noise)
        case .pending(let error, let operations, let noise):
            fault = .pending(error, operations: operations - 1, noise: noise)
            return .whole
        }
    }
}

extension MemoryFlash: NORFlash {
    /// `.erasing` while an erase is running. With `EraseEnd.afterQueries`, each query brings its end closer.
    public var flashActivity: FlashActivity {
        mutating get {
            guard let (sector, queriesLeft) = erase else { return .ready }
            if eraseEnd == .onRequest { return .erasing }
            guard queriesLeft > 0 else {
                finishErase()
                return .ready
            }
            erase = (sector, queriesLeft - 1)
            return .erasing
        }
    }

    /// Reads bytes. Suspends an erase of another sector, and waits for an erase of the same sector.
    public mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try requirePower()
        guard address >= 0, destination.count <= contents.count, address <= contents.count - destination.count else {
            throw .outOfRange
        }
        counts.reads += 1
        suspendErase(for: address, count: destination.count)
        for index in destination.indices { destination[index] = contents[address + index] }
    }

    /// Clears bits in one page. Throws `.verifyFailed` if `bytes` would set a cleared bit. That bit stays clear.
    public mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        try requirePower()
        let page = flashGeometry.pageSize
        guard address >= 0, bytes.count <= page, address <= contents.count - bytes.count,
            bytes.isEmpty || address / page == (address + bytes.count - 1) / page
        else { throw .outOfRange }
        suspendErase(for: address, count: bytes.count)
        counts.programs += 1
        var wanted = (0..<bytes.count).map { bytes[$0] }
        let isPossible = wanted.indices.allSatisfy { contents[address + $0] & wanted[$0] == wanted[$0] }
        if !isPossible { counts.violations += 1 }
        if wornSectors.contains(address / flashGeometry.sectorSize) { throw .verifyFailed }
        let completion = nextCompletion()
        if case .torn(_, var noise) = completion { noise.tearProgram(&wanted) }
        for index in wanted.indices { contents[address + index] &= wanted[index] }
        if case .torn(let error, _) = completion { throw error }
        if !isPossible { throw .verifyFailed }
    }

    /// Starts to erase a sector. Waits for a running erase first. `eraseEnd` determines when the erase ends.
    public mutating func beginErase(sector: Int) throws(FlashError) {
        try requirePower()
        guard sector >= 0, sector < flashGeometry.sectorCount else { throw .outOfRange }
        waitForErase()
        counts.erases += 1
        eraseCounts[sector] += 1
        if case .torn(let error, var noise) = nextCompletion() {
            noise.tearErase(&contents, addresses(of: sector))
            throw error
        }
        erase = (sector, 0)
        switch eraseEnd {
        case .atOnce: finishErase()
        case .afterQueries(let queries): erase = (sector, queries)
        case .onRequest: break
        }
    }
}

/// Decides at random, from a seed, what an interrupted operation leaves on the chip.
package struct FlashNoise: Sendable {
    private var random: SplitMix64

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Changes the bytes of a program operation, so that the operation has its full effect, part of its effect, or none.
    mutating func tearProgram(_ bytes: inout [UInt8]) {
        switch random.next() % 5 {
        case 0:
            for index in bytes.indices { bytes[index] = 0xFF }
        case 1:
            break
        case 2, 3:
            guard !bytes.isEmpty else { return }
            let cut = Int(random.next() % UInt64(bytes.count))
            bytes[cut] |= UInt8(truncatingIfNeeded: random.next())
            for index in bytes.indices where index > cut { bytes[index] = 0xFF }
        default:
            for index in bytes.indices { bytes[index] |= UInt8(truncatingIfNeeded: random.next()) }
        }
    }

    /// Changes a sector to what an interrupted erase leaves: the old contents, only 0xFF, the old contents with more bits set,
    /// or random bytes. `sector` is the range of its addresses.
    mutating func tearErase(_ contents: inout [UInt8], _ sector: Range<Int>) {
        switch random.next() % 4 {
        case 0:
            break
        case 1:
            for address in sector { contents[address] = 0xFF }
        case 2:
            for address in sector { contents[address] |= UInt8(truncatingIfNeeded: random.next()) }
        default:
            for address in sector { contents[address] = UInt8(truncatingIfNeeded: random.next()) }
        }
    }
}

/// A flash chip in memory that keeps its contents when a watch restarts on a new board. Any thread may use it.
public final class SharedFlash: NORFlash, Sendable {
    private let chip: Mutex<MemoryFlash>
    /// The chip's layout.
    public let flashGeometry: FlashGeometry

    package init(_ chip: MemoryFlash) {
        flashGeometry = chip.flashGeometry
        self.chip = Mutex(chip)
    }

    package var contents: MemoryFlash { chip.withLock { $0 } }

    package func change(_ change: (inout sending MemoryFlash) -> Void) {
        chip.withLock { change(&$0) }
    }

    /// `.erasing` while an erase is running.
    public var flashActivity: FlashActivity { chip.withLock { $0.flashActivity } }

    /// Fills `destination` with the bytes from `address` on.
    public func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        var bytes = [UInt8](repeating: 0, count: destination.count)
        try chip.withLock { chip throws(FlashError) in
            var span = bytes.mutableSpan
            try chip.readFlash(at: address, into: &span)
        }
        for index in bytes.indices { destination[index] = bytes[index] }
    }

    /// Clears bits in one page.
    public func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        let copy = bytes.indices.map { bytes[$0] }
        try chip.withLock { chip throws(FlashError) in try chip.programFlash(at: address, copy.span) }
    }

    /// Starts to erase a sector.
    public func beginErase(sector: Int) throws(FlashError) {
        try chip.withLock { chip throws(FlashError) in try chip.beginErase(sector: sector) }
    }

    /// Ends a running erase at once. Its sector then contains only 0xFF.
    public func finishErase() {
        chip.withLock { $0.finishErase() }
    }
}
