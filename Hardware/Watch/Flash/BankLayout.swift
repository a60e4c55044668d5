/// How the chip is divided: two banks of whole sectors, of which one holds the log and the other waits to take over.
struct BankLayout: Sendable, BitwiseCopyable {
    let pageSize: Int
    let sectorSize: Int
    /// Sectors in a bank. Of an odd number of sectors the last one stays unused.
    let sectorsPerBank: Int

    init(_ geometry: FlashGeometry) throws(JournalError) {
        let (page, sector) = (geometry.pageSize, geometry.sectorSize)
        guard page >= 64, page % 64 == 0, sector >= page, sector % page == 0, sector <= 1 << 20,
            geometry.sectorCount >= 2, geometry.sectorCount <= 1 << 10, geometry.sectorCount / 2 * sector >= 2_048
        else { throw .unsuitableGeometry }
        pageSize = page
        sectorSize = sector
        sectorsPerBank = geometry.sectorCount / 2
    }

    /// A layout without a bank, for a journal that is not mounted.
    init() {
        pageSize = 256
        sectorSize = 0
        sectorsPerBank = 0
    }

    var bankSize: Int { sectorSize * sectorsPerBank }

    /// The chip's address of a place in a bank.
    func address(_ bank: BankIndex, _ offset: Int) -> Int {
        switch bank {
        case .first: offset
        case .second: bankSize + offset
        }
    }

    /// The chip's number of a bank's sector.
    func sector(_ bank: BankIndex, _ index: Int) -> Int {
        switch bank {
        case .first: index
        case .second: sectorsPerBank + index
        }
    }

    /// The first page boundary at or after `offset`.
    func pageBoundary(after offset: Int) -> Int {
        (offset + pageSize - 1) / pageSize * pageSize
    }
}

/// One of the two banks.
enum BankIndex: Sendable, BitwiseCopyable {
    /// The one in the lower half of the chip.
    case first
    /// The one in the upper half.
    case second

    /// The one that it takes turns with.
    var other: BankIndex {
        switch self {
        case .first: .second
        case .second: .first
        }
    }
}
