/// The division of the journal's part of the chip into two banks of whole sectors: one holds the log, the other is on standby.
struct BankLayout: Sendable, BitwiseCopyable {
    let pageSize: Int
    let sectorSize: Int
    /// The last sector of an odd number is unused.
    let sectorsPerBank: Int

    init(_ geometry: FlashGeometry) throws(JournalError) {
        let (page, sector) = (geometry.pageSize, geometry.sectorSize)
        let sectors = geometry.journalSectorCount
        guard page >= 64, page % 64 == 0, sector >= page, sector % page == 0, sector <= 1 << 20,
            geometry.fileSectorCount >= 0, sectors >= 2, geometry.sectorCount <= 1 << 10, sectors / 2 * sector >= 2_048
        else { throw .unsuitableGeometry }
        pageSize = page
        sectorSize = sector
        sectorsPerBank = sectors / 2
    }

    /// The layout of a journal that is not mounted: no bank.
    init() {
        pageSize = 256
        sectorSize = 0
        sectorsPerBank = 0
    }

    var bankSize: Int { sectorSize * sectorsPerBank }

    /// The chip's address of an offset in a bank.
    func address(_ bank: BankIndex, _ offset: Int) -> Int {
        bank.rawValue * bankSize + offset
    }

    /// The chip's number of a bank's sector.
    func sector(_ bank: BankIndex, _ index: Int) -> Int {
        bank.rawValue * sectorsPerBank + index
    }

    /// The first page boundary at or after `offset`.
    func pageBoundary(after offset: Int) -> Int {
        (offset + pageSize - 1) / pageSize * pageSize
    }
}

/// The two banks, in the lower and the upper half of the chip.
enum BankIndex: Int, BitwiseCopyable {
    case first
    case second

    var other: BankIndex { self == .first ? .second : .first }
}
