import Watch

/// The NOR flash chip that memory of the board stands for. The emulator keeps that memory in a file.
package enum FlashChip {
    /// Where it begins on the board.
    package static var address: UInt32 { 0x2100_0000 }
    /// Sixteen sectors of 4 KB for the journal, and 34 for two files of 64 KB.
    package static var geometry: FlashGeometry { FlashGeometry(sectorCount: 50, fileSectorCount: 34) }
    /// Bytes of the board's memory that begins with the chip: 16 MB.
    package static var memorySize: Int { 16_777_216 }
}
