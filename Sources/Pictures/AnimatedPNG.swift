import WatchLink

/// PNG files of several frames: "Portable Network Graphics (PNG) Specification (Third Edition)", W3C, 11.3.2 (acTL, fcTL, fdAT). A
/// program that does not know them shows the first frame.
package enum AnimatedPNG {
    /// An animation as a file that is shown over and over.
    ///
    /// - Throws: `.notWritten` with libpng's own message.
    package static func file(_ animation: Animation) throws(PictureError) -> [UInt8] {
        var file = ChunkedFile()
        var sequence = 0
        try animation.forEachChange { change throws(PictureError) in
            let chunks = try chunks(of: change, in: animation)
            let isFirst = sequence == 0
            if isFirst {
                for chunk in chunks.prefix(while: { $0.type != ChunkType.content }) {
                    file.add(chunk.type, chunk.bytes)
                }
                // The number of frames, and how often they are shown, 0 for ever.
                file.add(ChunkType.animation, bigEndian(animation.frames.count) + bigEndian(0))
            }
            file.add(ChunkType.frame, control(of: change, sequence))
            sequence += 1
            for chunk in chunks where chunk.type == ChunkType.content {
                if isFirst {
                    file.add(ChunkType.content, chunk.bytes)
                } else {
                    file.add(ChunkType.laterContent, bigEndian(sequence) + chunk.bytes)
                    sequence += 1
                }
            }
        }
        file.add(ChunkType.end, [])
        return file.bytes
    }

    /// What a frame is, where, and for how long: it stays where it is, and its transparent pixels let what was there show through.
    private static func control(of change: FrameChange, _ sequence: Int) -> [UInt8] {
        let place = [sequence, change.size.width, change.size.height, change.x, change.y].flatMap(bigEndian)
        let (stay, over) = (UInt8(0), UInt8(1))
        return place + bigEndian(change.hundredths).suffix(2) + bigEndian(100).suffix(2) + [stay, over]
    }

    /// The chunks of a file with one frame alone.
    private static func chunks(of change: FrameChange, in animation: Animation) throws(PictureError) -> [Chunk] {
        let pixels = change.pixels.map { $0 ?? animation.asBefore }
        return ChunkedFile.chunks(
            in: try PortableNetworkGraphics.file(
                pixels, of: change.size, palette: animation.palette, transparentFrom: animation.palette.count))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
    }
}

/// The types of the chunks, by the characters of their names.
private enum ChunkType {
    static let animation = Array("acTL".utf8)
    static let frame = Array("fcTL".utf8)
    static let content = Array("IDAT".utf8)
    static let laterContent = Array("fdAT".utf8)
    static let end = Array("IEND".utf8)
}

private struct Chunk {
    let type: [UInt8]
    let bytes: [UInt8]
}

/// A file of chunks (the specification, 5.3): each has its length, its type, its bytes, and a check of the last two.
private struct ChunkedFile {
    private(set) var bytes = PortableNetworkGraphics.signature

    mutating func add(_ type: [UInt8], _ content: [UInt8]) {
        bytes += withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) } + type + content
        bytes += withUnsafeBytes(of: CRC32.checksum(of: (type + content).span).bigEndian) { Array($0) }
    }

    /// The chunks of a file that libpng has written.
    static func chunks(in file: [UInt8]) -> [Chunk] {
        var chunks: [Chunk] = []
        var rest = file.dropFirst(PortableNetworkGraphics.signature.count)
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 12 + length else { break }
            chunks.append(
                Chunk(type: Array(rest.dropFirst(4).prefix(4)), bytes: Array(rest.dropFirst(8).prefix(length))))
            rest = rest.dropFirst(12 + length)
        }
        return chunks
    }
}
