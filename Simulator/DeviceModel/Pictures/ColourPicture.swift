/// A picture in colour, line by line from the top.
package struct ColourPicture: Equatable, Sendable {
    package let size: PictureSize
    package let pixels: [Colour]

    package init(size: PictureSize, pixels: [Colour]) {
        precondition(pixels.count == size.width * size.height, "a picture has a colour for each pixel")
        self.size = size
        self.pixels = pixels
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pixels.count * 3)
        for pixel in pixels {
            bytes.append(pixel.red)
            bytes.append(pixel.green)
            bytes.append(pixel.blue)
        }
        return bytes
    }
}

/// The palette of an animation, chosen from the colours of its pictures.
///
/// If the pictures have too many colours, median cut reduces them (Heckbert, "Color Image Quantization for Frame Buffer
/// Display", 1982). Median cut repeatedly splits the group of colours with the widest range of red, green or blue into two
/// groups, each with about half of the pixels. The palette then has the mean colour of each group.
package struct ColourChoice {
    package let palette: [Colour]
    private let places: [Colour: UInt8]

    /// - Parameters:
    ///   - counts: the number of pixels of each colour.
    ///   - most: the maximum number of colours in the palette, 1 to 256.
    package init(_ counts: [Colour: Int], most: Int) {
        // Sorted, because the order of a dictionary differs from run to run.
        let colours = counts.sorted { $0.key.number < $1.key.number }
        var boxes = [colours]
        while boxes.count < min(most, colours.count) {
            let widest = boxes.indices.max { ColourChoice.range(boxes[$0]).width < ColourChoice.range(boxes[$1]).width }
            guard let widest, boxes[widest].count > 1 else { break }
            let part = ColourChoice.range(boxes[widest]).part
            let sorted = boxes[widest].sorted {
                ($0.key[keyPath: part], $0.key.number) < ($1.key[keyPath: part], $1.key.number)
            }
            let half = sorted.reduce(0) { $0 + $1.value } / 2
            var (sum, cut) = (0, 0)
            while cut < sorted.count - 1, sum < half || cut == 0 {
                sum += sorted[cut].value
                cut += 1
            }
            boxes[widest] = Array(sorted[..<cut])
            boxes.append(Array(sorted[cut...]))
        }
        palette = boxes.map(ColourChoice.mean)
        var places: [Colour: UInt8] = [:]
        for (place, box) in boxes.enumerated() { for colour in box { places[colour.key] = UInt8(place) } }
        self.places = places
    }

    package func place(of colour: Colour) -> UInt8 { places[colour] ?? 0 }

    private typealias Box = [Dictionary<Colour, Int>.Element]

    private static func range(_ box: Box) -> (part: KeyPath<Colour, UInt8>, width: Int) {
        let parts: [KeyPath<Colour, UInt8>] = [\.red, \.green, \.blue]
        let widths = parts.map { part in
            let values = box.map { Int($0.key[keyPath: part]) }
            return (values.max() ?? 0) - (values.min() ?? 0)
        }
        let widest = widths.indices.max { widths[$0] < widths[$1] } ?? 0
        return (parts[widest], widths[widest])
    }

    private static func mean(_ box: Box) -> Colour {
        let pixels = max(1, box.reduce(0) { $0 + $1.value })
        func mean(_ part: KeyPath<Colour, UInt8>) -> UInt8 {
            UInt8((box.reduce(0) { $0 + Int($1.key[keyPath: part]) * $1.value } + pixels / 2) / pixels)
        }
        return Colour(red: mean(\.red), green: mean(\.green), blue: mean(\.blue))
    }
}

extension Colour {
    fileprivate var number: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}
