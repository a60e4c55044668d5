import Watch

/// The contents of a flash chip.
public struct FlashImage: Sendable, Equatable {
    package let geometry: FlashGeometry
    package let bytes: [UInt8]

    /// Creates an image with these bytes. Returns nil if their number is not the chip's capacity.
    public init?(_ geometry: FlashGeometry, bytes: [UInt8]) {
        guard bytes.count == geometry.capacity else { return nil }
        self.geometry = geometry
        self.bytes = bytes
    }

    /// Creates the image of an erased chip, in which each byte is 0xFF.
    public init(erased geometry: FlashGeometry) {
        self.geometry = geometry
        bytes = Array(repeating: 0xFF, count: geometry.capacity)
    }

    func sector(_ number: Int) -> ArraySlice<UInt8> {
        bytes[number * geometry.sectorSize..<(number + 1) * geometry.sectorSize]
    }
}

extension NORFlash where Self: ~Copyable {
    mutating func readImage() throws(FlashError) -> FlashImage {
        var bytes = [UInt8](repeating: 0xFF, count: flashGeometry.capacity)
        var span = bytes.mutableSpan
        try readFlash(at: 0, into: &span)
        // Never nil, because the read returned all bytes of the chip.
        return FlashImage(flashGeometry, bytes: bytes) ?? FlashImage(erased: flashGeometry)
    }

    /// Erases the whole chip, and then programs the image, which must have the chip's layout. After an interruption, the chip
    /// has a part of the old contents or a part of the new contents, but never a mixture of both.
    mutating func replaceContents(with image: FlashImage) throws(FlashError) {
        for sector in 0..<flashGeometry.sectorCount {
            try beginErase(sector: sector)
            finishErase()
        }
        let page = flashGeometry.pageSize
        for address in stride(from: 0, to: image.bytes.count, by: page) {
            let bytes = Array(image.bytes[address..<address + page])
            if bytes.contains(where: { $0 != 0xFF }) { try programFlash(at: address, bytes.span) }
        }
    }
}
