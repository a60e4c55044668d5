/// Pictures of which each pixel becomes several.
package enum Enlargement {
    /// Repeats each pixel across and down.
    ///
    /// - Parameters:
    ///   - pixels: a byte a pixel, line after line from the top.
    ///   - width: the pixels of a line, at least 1.
    ///   - scale: how often, at least 1.
    package static func pixels(_ pixels: [UInt8], width: Int, scale: Int) -> [UInt8] {
        guard scale > 1 else { return pixels }
        var enlarged: [UInt8] = []
        enlarged.reserveCapacity(pixels.count * scale * scale)
        for start in stride(from: 0, to: pixels.count, by: width) {
            let line = pixels[start..<start + width].flatMap { repeatElement($0, count: scale) }
            for _ in 0..<scale { enlarged += line }
        }
        return enlarged
    }
}
