/// A width and a height in pixels, both 1 or more.
package struct PictureSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    /// A size; a number below 1 is taken as 1.
    package init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
    }

    /// The largest size of the same shape that fits within `limit`; a size that fits already stays, so nothing is enlarged.
    func fitted(within limit: PictureSize) -> PictureSize {
        if width <= limit.width && height <= limit.height { return self }
        // Whichever side is further beyond its limit takes it; the other follows, rounded.
        if width * limit.height >= height * limit.width {
            return PictureSize(width: limit.width, height: (height * limit.width + width / 2) / width)
        }
        return PictureSize(width: (width * limit.height + height / 2) / height, height: limit.height)
    }
}
