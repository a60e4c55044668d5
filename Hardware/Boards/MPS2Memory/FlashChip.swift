import Watch

/// The NOR flash chip, which is simulated in the board's memory. The emulator keeps that memory in a file.
package enum FlashChip {
    /// The address at which the chip begins.
    package static var address: UInt32 { 0x2100_0000 }
    /// Sixteen sectors of 4 KB for the journal, and 34 for two files of 64 KB.
    package static var geometry: FlashGeometry { FlashGeometry(sectorCount: 50, fileSectorCount: 34) }
    /// How many bytes of memory the board has from the chip's first byte on: 16 MB.
    package static var memorySize: Int { 16_777_216 }
}
