import DeviceModel
import MPS2Memory

/// The file of the firmware's flash chip: the whole memory that begins with the chip.
///
/// The emulator maps the file itself, so what was programmed outlives a kill of any process. The file is locked for as long
/// as this exists.
package struct FirmwareFlash: ~Copyable, Sendable {
    /// Bytes of the chip: 64 KB of the journal and 136 KB of files.
    package static var chipSize: Int { FlashChip.geometry.capacity }
    /// Bytes of the board's memory that begins with the chip: 16 MB, most of it a hole in the file.
    package static var memorySize: Int { FlashChip.memorySize }

    package let path: String
    private let file: FlashFile

    /// The chip in the file at `path`, made, erased throughout, where there is none.
    ///
    /// - Throws: `FlashFileError`. Of a file that is refused nothing is changed.
    package init(path: String) throws(FlashFileError) {
        self.path = path
        file = try FlashFile(path: path, chip: FirmwareFlash.chipSize, size: FirmwareFlash.memorySize)
    }
}
