/// The part of the flash chip that holds files: two slots, one for the file that is there and one for the one that arrives.
///
///     slot:  header page | marks page | end page | content ...
///
/// Each of the three is programmed by itself, so that a power cut while one of them is programmed leaves the others as they are.
struct FileArea: BitwiseCopyable {
    /// Pages are as long as this at least.
    private static var smallestPage: Int { 256 }
    /// The most bytes of a file, whatever the chip has room for.
    static var mostContent: Int { 65_536 }
    /// A mark says that this many bytes of content are programmed.
    static var markedBytes: Int { 1_024 }
    /// The marks of a slot.
    static var markCount: Int { mostContent / markedBytes }

    let pageSize: Int
    let sectorSize: Int
    /// The chip's number of the first sector.
    private let firstSector: Int
    let sectorsPerSlot: Int

    /// No sectors where the chip has none for files, or a layout that no journal has.
    init(_ geometry: FlashGeometry) {
        let isUsable =
            geometry.pageSize >= 64 && geometry.sectorSize >= 1_024 && geometry.fileSectorCount >= 2
            && geometry.fileSectorCount <= geometry.sectorCount
        pageSize = geometry.pageSize
        sectorSize = geometry.sectorSize
        sectorsPerSlot = isUsable ? geometry.fileSectorCount / 2 : 0
        firstSector = geometry.sectorCount - geometry.fileSectorCount
    }

    /// The bytes between the beginnings of the parts of a slot.
    private var stride: Int { max(pageSize, FileArea.smallestPage) }

    /// The most bytes of a file.
    var largestFile: Int {
        min(FileArea.mostContent, max(0, sectorsPerSlot * sectorSize - 3 * stride))
    }

    func sector(_ slot: FileSlot, _ index: Int) -> Int { firstSector + slot.rawValue * sectorsPerSlot + index }

    /// The sectors that a file of this length takes, header and marks included.
    func sectorCount(for length: Int) -> Int { (3 * stride + length + sectorSize - 1) / sectorSize }

    func header(_ slot: FileSlot) -> Int { sector(slot, 0) * sectorSize }
    func marks(_ slot: FileSlot) -> Int { header(slot) + stride }
    func end(_ slot: FileSlot) -> Int { header(slot) + 2 * stride }
    func content(_ slot: FileSlot) -> Int { header(slot) + 3 * stride }
}

/// One of the two places for a file.
enum FileSlot: Int, BitwiseCopyable {
    case first = 0
    case second = 1

    var other: FileSlot { self == .first ? .second : .first }
}
