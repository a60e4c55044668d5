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
        let enlarged = Enlargement.pixels(pixels, width: PanelGeometry.width, scale: scale)
        return try DeviceModelError.encoding { () throws(PictureError) in
            try PortableNetworkGraphics.file(blackAndWhite: enlarged, of: size)
        }
    }

    /// The frame in a PNG file of the panel's size, a pixel lit that is brighter than half.
    ///
    /// - Throws: `.malformedImage` where it is none.
    package init(portableNetworkGraphics file: [UInt8]) throws(DeviceModelError) {
        let picture: GreyPicture
        do throws(PictureError) {
            picture = try PortableNetworkGraphics.picture(in: file)
        } catch {
            throw .malformedImage(error.description)
        }
        guard picture.size == PictureSize(width: PanelGeometry.width, height: PanelGeometry.height) else {
            throw .malformedImage(
                "\(picture.size.width) x \(picture.size.height) pixels instead of "
                    + "\(PanelGeometry.width) x \(PanelGeometry.height)")
        }
        var bytes = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
        for (place, brightness) in picture.pixels.enumerated() where brightness > 127 {
            bytes[place / 8] |= 0x80 >> UInt8(place % 8)
        }
        try self.init(bytes: bytes)
    }

    /// A byte a pixel, 1 for lit, line after line from the top.
    var pixels: [UInt8] {
        (0..<PanelGeometry.height).flatMap { y in
            (0..<PanelGeometry.width).map { x in isLit(x: x, y: y) ? 1 : 0 }
        }
    }
}
