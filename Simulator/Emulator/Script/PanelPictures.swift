import DeviceModel
import WatchLink

extension VisiblePicture {
    /// The picture as the wearer sees it. It is black if the backlight is off.
    package var colours: ColourPicture {
        let black = Colour(red: 0, green: 0, blue: 0)
        return ColourPicture(
            size: PictureSize(width: width, height: height),
            pixels: light == 0 ? Array(repeating: black, count: pixels.count) : pixels.map(VisiblePicture.colour))
    }

    package var isDark: Bool { light == 0 || pixels.allSatisfy { $0 == 0 } }
    package var isDrawn: Bool { light > 0 && pixels.contains { $0 != pixels.first } }

    /// Converts a pixel with 5 bits of red, 6 of green and 5 of blue to 8 bits for each colour. Copies each colour's upper bits
    /// into the new lower bits, so that white stays white.
    private static func colour(_ pixel: UInt16) -> Colour {
        let (red, green, blue) = (UInt8(pixel >> 11), UInt8(pixel >> 5 & 0x3F), UInt8(pixel & 0x1F))
        return Colour(red: red << 3 | red >> 2, green: green << 2 | green >> 4, blue: blue << 3 | blue >> 2)
    }
}

/// What the panel shows from the command `record FILE.gif` until `record end` or the end of the script.
struct PanelFilm: Sendable {
    /// The maximum number of pictures in a file: about 20 s of a panel that changes 100 times a second.
    static let mostPictures = 2_000

    let file: String
    private var pictures: [(picture: VisiblePicture, since: UInt64)]

    init(file: String, _ picture: VisiblePicture, at cycle: UInt64) {
        self.file = file
        pictures = [(picture, cycle)]
    }

    /// Adds the picture, unless it equals the last picture or the film already has `mostPictures` pictures.
    mutating func show(_ picture: VisiblePicture, at cycle: UInt64) {
        if let last = pictures.last?.picture, picture != last, pictures.count < PanelFilm.mostPictures {
            pictures.append((picture, cycle))
        }
    }

    func animation(until end: UInt64) throws(PictureError) -> [UInt8] {
        let films = pictures.map(\.picture.colours)
        var counts: [Colour: Int] = [:]
        for film in films { for pixel in film.pixels { counts[pixel, default: 0] += 1 } }
        let choice = ColourChoice(counts, most: Animation.mostColours)
        let ends = pictures.dropFirst().map(\.since) + [end]
        // A hundredth of a second is 640,000 cycles.
        let lengths = zip(pictures, ends).map { Int($1 / 640_000) - Int($0.since / 640_000) }
        let animation = Animation(size: films[0].size, palette: choice.palette, count: films.count) { index in
            Animation.Frame(pixels: films[index].pixels.map(choice.place), hundredths: lengths[index])
        }
        return try GraphicsInterchangeFormat.file(animation)
    }
}
