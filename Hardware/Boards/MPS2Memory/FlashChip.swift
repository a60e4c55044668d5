import Watch

/// The NOR flash chip, simulated by memory of the board. The emulator keeps that memory in a file.
package enum FlashChip {
    /// Where it begins on the board.
    package static var address: UInt32 { 0x2100_0000 }
    /// Sixteen sectors of 4 KB for the journal, and 34 for two files of 64 KB.
    package static var geometry: FlashGeometry { FlashGeometry(sectorCount: 50, fileSectorCount: 34) }
    /// Bytes of the board's memory from the chip's first byte on: 16 MB.
    package static var memorySize: Int { 16_777_216 }
}
