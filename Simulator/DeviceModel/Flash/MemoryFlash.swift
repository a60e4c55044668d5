import Watch

/// A flash chip in memory: keeps the rules of NOR flash, counts what is done to it, and fails on demand.
///
/// It is a value: a copy is a second chip with the same contents. Every failure is drawn from a seed, so it can be repeated.
public struct MemoryFlash: Sendable {
    /// When an erase that was begun is over.
    package enum EraseEnd: Sendable, Equatable {
        /// Before `beginErase` returns.
        case atOnce
        /// When `flashActivity` has answered `.erasing` this many times.
        case afterQueries(Int)
        /// When `finishErase` is called.
        case onRequest
    }

    /// Programs and erases, and what they did to others, since the chip was made or the counts were reset.
    package struct Counts: Sendable, Equatable {
        /// Page programs.
        package var programs = 0
        /// Sector erases.
        package var erases = 0
        /// Reads, of whatever length.
        package var reads = 0
        /// Operations that had to wait for the end of an erase.
        package var waits = 0
        /// Reads and programs that suspended an erase.
        package var suspensions = 0
        /// Programs that were asked to set a bit, which only an erase can do.
        package var violations = 0

        /// Programs and erases together.
        package var operations: Int { programs + erases }
    }

    /// Whether there is power, and until when.
    package enum Power: Sendable {
        /// All is well.
        case on
        /// It fails in the middle of the operation after `operations` more.
        case failing(operations: Int, noise: FlashNoise)
        /// Nothing answers.
        case off
    }

    /// What goes wrong next.
    package enum Fault: Sendable {
        /// All is well.
        case none
        /// The operation after `operations` more is done by half and reports `error`; later ones work.
        case pending(FlashError, operations: Int, noise: FlashNoise)
    }

    private enum Erase: Sendable {
        /// None is under way.
        case none
        /// A sector is being erased; its old contents stay visible to nobody.
        case underWay(sector: Int, queriesLeft: Int)
    }

    private enum Completion {
        /// The operation is done whole.
        case whole
        /// It is done by half, then fails.
        case torn(FlashError, FlashNoise)
    }

    /// The chip's layout.
    public let flashGeometry: FlashGeometry
    /// Everything in it. What an erase under way has not finished is still as it was.
    package var contents: [UInt8]
    /// Erases begun, for each sector.
    package private(set) var eraseCounts: [Int]
    /// What was done so far.
    package var counts = Counts()
    /// When erases end.
    package var eraseEnd: EraseEnd
    package var power = Power.on
    /// What goes wrong next.
    package var fault = Fault.none
    private var erase = Erase.none
    /// Sectors that keep nothing any more: programs change nothing in them and report `.verifyFailed`.
    package var wornSectors: Set<Int> = []

    /// The chip of the boards here: 64 KB for the journal and 136 KB for two files, erased throughout.
    public static var usual: MemoryFlash { MemoryFlash(FlashGeometry(sectorCount: 50, fileSectorCount: 34)) }

    /// A new chip, erased throughout.
    public init(_ geometry: FlashGeometry) {
        self.init(geometry, contents: Array(repeating: 0xFF, count: geometry.capacity))
    }

    /// A new chip whose erases end as `eraseEnd` says.
    package init(_ geometry: FlashGeometry, eraseEnd: EraseEnd) {
        self.init(geometry)
        self.eraseEnd = eraseEnd
    }

    /// A chip that holds `contents`, which have to be as long as it is.
    package init(_ geometry: FlashGeometry, contents: [UInt8], eraseEnd: EraseEnd = .atOnce) {
        precondition(contents.count == geometry.capacity, "the contents are not as long as the chip")
        flashGeometry = geometry
        self.contents = contents
        self.eraseEnd = eraseEnd
        eraseCounts = Array(repeating: 0, count: geometry.sectorCount)
    }

    /// Waits for the end of an erase in progress.
    public mutating func finishErase() {
        switch erase {
        case .none: break
        case .underWay(let sector, _):
            for address in addresses(of: sector) { contents[address] = 0xFF }
            erase = .none
        }
    }

    private func addresses(of sector: Int) -> Range<Int> {
        sector * flashGeometry.sectorSize..<(sector + 1) * flashGeometry.sectorSize
    }

    private mutating func waitForErase() {
        switch erase {
        case .none: break
        case .underWay:
            counts.waits += 1
            finishErase()
        }
    }

    /// Suspends an erase in progress for an operation on these bytes; waits for one of their sector.
    private mutating func suspendErase(for address: Int, count: Int) {
        switch erase {
        case .none: break
        case .underWay(let sector, _):
            if addresses(of: sector).overlaps(address..<address + count) {
                waitForErase()
            } else {
                counts.suspensions += 1
            }
        }
    }

    /// Leaves the sector of an erase in progress as a loss of power does.
    package mutating func tearErase(_ noise: inout FlashNoise) {
        switch erase {
        case .none: break
        case .underWay(let sector, _):
            noise.tearErase(&contents, addresses(of: sector))
            erase = .none
        }
    }

    private func requirePower() throws(FlashError) {
        switch power {
        case .on, .failing: break
        case .off: throw .notResponding
        }
    }

    /// Counts one operation down to the failure that is due.
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
    /// Whether an erase is under way.
    public var flashActivity: FlashActivity {
        mutating get {
            switch erase {
            case .none: return .ready
            case .underWay(let sector, let queriesLeft):
                switch eraseEnd {
                case .onRequest: return .erasing
                case .atOnce, .afterQueries:
                    guard queriesLeft > 0 else {
                        finishErase()
                        return .ready
                    }
                    erase = .underWay(sector: sector, queriesLeft: queriesLeft - 1)
                    return .erasing
                }
            }
        }
    }

    /// Copies bytes out of the chip. An erase of another sector is suspended; one of the same sector is waited for.
    public mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try requirePower()
        guard address >= 0, destination.count <= contents.count, address <= contents.count - destination.count else {
            throw .outOfRange
        }
        counts.reads += 1
        suspendErase(for: address, count: destination.count)
        for index in destination.indices { destination[index] = contents[address + index] }
    }

    /// Clears bits of one page. A bit that would have to be set stays clear, is counted as a violation, and fails to verify.
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
        switch completion {
        case .whole: break
        case .torn(_, var noise): noise.tearProgram(&wanted)
        }
        for index in wanted.indices { contents[address + index] &= wanted[index] }
        switch completion {
        case .whole where !isPossible: throw .verifyFailed
        case .whole: break
        case .torn(let error, _): throw error
        }
    }

    /// Begins to erase a sector; `eraseEnd` says when that is over. An erase that is still under way is waited for.
    public mutating func beginErase(sector: Int) throws(FlashError) {
        try requirePower()
        guard sector >= 0, sector < flashGeometry.sectorCount else { throw .outOfRange }
        waitForErase()
        counts.erases += 1
        eraseCounts[sector] += 1
        switch nextCompletion() {
        case .torn(let error, var noise):
            noise.tearErase(&contents, addresses(of: sector))
            throw error
        case .whole: break
        }
        switch eraseEnd {
        case .atOnce:
            erase = .underWay(sector: sector, queriesLeft: 0)
            finishErase()
        case .afterQueries(let queries): erase = .underWay(sector: sector, queriesLeft: queries)
        case .onRequest: erase = .underWay(sector: sector, queriesLeft: 0)
        }
    }
}
