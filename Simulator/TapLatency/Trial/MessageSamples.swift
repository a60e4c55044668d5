/// Values and files with which a handler is tried: of a handler's own messages only their longest size is known.
enum MessageSamples {
    /// Values in CBOR (RFC 8949) of at most `size` bytes: numbers of every length, texts, bytes, nested ones, and the longest text
    /// and bytes.
    static func values(upTo size: Int) -> [[UInt8]] {
        let values: [[UInt8]] = [
            [0x00], [0x01], [0x0A], [0x18, 0x3D], [0x18, 0xFF], [0x19, 0x03, 0xE8], [0x1A, 0x00, 0x0F, 0x42, 0x40],
            [0x1A, 0xFF, 0xFF, 0xFF, 0xFF], [0x1B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x20],
            [0x3A, 0x7F, 0xFF, 0xFF, 0xFF], [0xF4], [0xF5], [0xF6], [0x40], [0x60], [0x61, 0x61], [0x80],
            [0x83, 0x01, 0x02, 0x03], [0xA0], [0xFB, 0x40, 0x09, 0x21, 0xFB, 0x54, 0x44, 0x2D, 0x18],
        ]
        return values.filter { $0.count <= size } + [filled(major: 2, size), filled(major: 3, size)]
    }

    /// A text (major type 3) or bytes (2) of `size` bytes with the head, 1 to 256.
    private static func filled(major: UInt8, _ size: Int) -> [UInt8] {
        let head: [UInt8] = size <= 24 ? [major << 5 | UInt8(size - 1)] : [major << 5 | 24, UInt8(size - 2)]
        return head + [UInt8](repeating: 0x61, count: size - head.count)
    }

    /// Files of at most `size` bytes: one byte, a picture, and the longest; none for 0.
    static func files(upTo size: Int) -> [[UInt8]] {
        guard size > 0 else { return [] }
        return [[0x00]] + (picture(upTo: size).map { [$0] } ?? [])
            + [[UInt8](repeating: 0xA5, count: size)]
    }

    /// A chequered picture in PBM (P4) as wide as the panel, and as high as it is or there is room for.
    private static func picture(upTo size: Int) -> [UInt8]? {
        let bytesPerLine = 18
        let height = min(168, (size - "P4\n144 168\n".utf8.count) / bytesPerLine)
        guard height > 0 else { return nil }
        let pixels = (0..<height * bytesPerLine).map { UInt8($0 / bytesPerLine % 2 == 0 ? 0x55 : 0xAA) }
        return Array("P4\n144 \(height)\n".utf8) + pixels
    }
}
