import Pictures
import Watch

extension PanelFrame {
    /// The frame as a PNG file of one bit a pixel: lit pixels white, dark ones black.
    ///
    /// - Parameter scale: how many pixels of the image, across and down, one pixel of the panel makes: 1 to 16. Values
    ///   outside are taken as the nearest one inside.
    /// - Throws: `.encodingFailed` with libpng's own message.
    public func portableNetworkGraphics(scale: Int = 1) throws(DeviceModelError) -> [UInt8] {
        let scale = min(max(scale, 1), 16)
        let size = PictureSize(width: PanelGeometry.width * scale, height: PanelGeometry.height * scale)
        do throws(PictureError) {
            return try PortableNetworkGraphics.file(blackAndWhite: paletteIndices(scale: scale), of: size)
        } catch {
            throw .encodingFailed(error.description)
        }
    }

    /// A byte a pixel, 1 for lit, each pixel repeated `scale` times across and down.
    private func paletteIndices(scale: Int) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(PanelGeometry.width * PanelGeometry.height * scale * scale)
        for y in 0..<PanelGeometry.height {
            var line: [UInt8] = []
            for x in 0..<PanelGeometry.width {
                line.append(contentsOf: repeatElement(isLit(x: x, y: y) ? 1 : 0, count: scale))
            }
            for _ in 0..<scale { pixels.append(contentsOf: line) }
        }
        return pixels
    }
}
