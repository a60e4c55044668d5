import DeviceModel
import WatchLink

extension VisiblePicture {
    /// What a wearer sees: black without light.
    package var colours: ColourPicture {
        let black = Colour(red: 0, green: 0, blue: 0)
        return ColourPicture(
            size: PictureSize(width: width, height: height),
            pixels: light == 0 ? Array(repeating: black, count: pixels.count) : pixels.map(VisiblePicture.colour))
    }

    package var isDark: Bool { light == 0 || pixels.allSatisfy { $0 == 0 } }
    package var isDrawn: Bool { light > 0 && pixels.contains { $0 != pixels.first } }

    /// Fills the lower bits of each part with its upper ones, so that white is white.
    private static func colour(_ pixel: UInt16) -> Colour {
        let (red, green, blue) = (UInt8(pixel >> 11), UInt8(pixel >> 5 & 0x3F), UInt8(pixel & 0x1F))
        return Colour(red: red << 3 | red >> 2, green: green << 2 | green >> 4, blue: blue << 3 | blue >> 2)
    }
}

/// What the panel showed for some time, for a GIF file.
struct PanelFilm: Sendable {
    /// About 20 s of a panel that changes 100 times a second.
    static let mostPictures = 2_000

    let file: String
    private var pictures: [(picture: VisiblePicture, since: UInt64)]

    init(file: String, _ picture: VisiblePicture, at cycle: UInt64) {
        self.file = file
        pictures = [(picture, cycle)]
    }

    /// Pictures after the last one are left out.
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
        // Hundredths of a second are 640,000 cycles.
        let lengths = zip(pictures, ends).map { Int($1 / 640_000) - Int($0.since / 640_000) }
        let animation = Animation(size: films[0].size, palette: choice.palette, count: films.count) { index in
            Animation.Frame(pixels: films[index].pixels.map(choice.place), hundredths: lengths[index])
        }
        return try GraphicsInterchangeFormat.file(animation)
    }
}
