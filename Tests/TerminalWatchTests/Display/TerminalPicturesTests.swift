import DeviceModel
import Foundation
import TestSupport
import Testing
import Watch
import WatchLink

@testable import TerminalWatch

struct SixelPictureTests {
    private func image(_ random: inout SplitMix64, scale: Int, cell: PixelSize) -> PanelImage {
        var frame = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
        for index in frame.indices where random.next() & 3 != 0 {
            frame[index] = UInt8(truncatingIfNeeded: random.next())
        }
        return PanelImage(
            frame: frame, type: .sixel, scale: scale, cell: cell,
            place: CellRect(column: 2, row: 1, columns: 200, rows: 100))
    }

    @Test(arguments: [
        (1, PixelSize(width: 9, height: 19)), (2, PixelSize(width: 10, height: 20)),
        (3, PixelSize(width: 7, height: 13)),
    ])
    func `every pixel is drawn as it is on the panel, in whole pictures and in parts`(scale: Int, cell: PixelSize)
        throws
    {
        let seed = Seed.chosen()
        var random = SplitMix64(seed: seed)
        let image = image(&random, scale: scale, cell: cell)
        let some = Int(random.next() % 5) + 1
        for rows in [image.rows, some..<some + 1, some..<some + 3, image.rows.upperBound - 2..<image.rows.upperBound] {
            let picture = try #require(DecodedSixels(SixelPicture.text(image, rows: rows)), "seed \(seed)")
            let first = rows.lowerBound * cell.height
            var wrong = 0
            for y in 0..<image.lines(ofRows: rows) {
                for x in 0..<image.width {
                    let index = (first + y) / scale * PanelGeometry.bytesPerLine + x / scale / 8
                    let isLit = image.frame[index] & 0x80 >> UInt8(x / scale % 8) != 0
                    let light = isLit ? 100 : 0
                    if picture.pixels[DecodedSixels.Pixel(x: x, y: y)] != [light, light, light] { wrong += 1 }
                }
            }
            #expect(wrong == 0, "seed \(seed), rows \(rows)")
            // Nothing is drawn to the right of the panel. Below it is at most the rest of a sixel, which is 6 pixels
            // high.
            #expect(picture.pixels.keys.allSatisfy { $0.x < image.width && $0.y < image.lines(ofRows: rows) + 6 })
        }
    }

    @Test func `a part never reaches below the cells of the panel`() {
        for scale in 1...8 {
            for height in 6..<60 {
                let cell = PixelSize(width: 10, height: height)
                let image = PanelImage(
                    frame: [], type: .sixel, scale: scale, cell: cell,
                    place: CellRect(column: 0, row: 0, columns: 0, rows: 0))
                let cells = PanelPicture.pixels(.sixel, scale: scale, cell: cell).size.rows
                for row in image.rows {
                    let lines = image.lines(ofRows: row..<image.rows.upperBound)
                    #expect(row * height + (lines + 5) / 6 * 6 <= cells * height, "\(scale), \(height), \(row)")
                }
            }
        }
    }
}

/// A picture that is decoded from sixels, DEC's graphics format for terminals (DEC STD 070, chapter 9).
struct DecodedSixels {
    struct Pixel: Hashable {
        var x: Int
        var y: Int
    }

    /// The colour of each drawn pixel: red, green and blue, in per cent.
    private(set) var pixels: [Pixel: [Int]] = [:]
    private var palette: [Int: [Int]] = [:]
    private var colour = 0
    private var place = Pixel(x: 0, y: 0)

    /// Decodes the device control string (ESC P) at the beginning of `text`. Returns nil if that is not a picture in
    /// sixels.
    init?(_ text: some StringProtocol) {
        var bytes = Array(text.utf8)[...]
        guard bytes.starts(with: [0x1B, UInt8(ascii: "P")]), let start = bytes.firstIndex(of: UInt8(ascii: "q")) else {
            return nil
        }
        bytes = bytes[(start + 1)...]
        while let byte = bytes.popFirst(), byte != 0x1B {
            switch byte {
            case UInt8(ascii: "\""): _ = DecodedSixels.numbers(&bytes)
            case UInt8(ascii: "#"): select(DecodedSixels.numbers(&bytes))
            case UInt8(ascii: "!"):
                let count = DecodedSixels.numbers(&bytes).first ?? 0
                guard let repeated = bytes.popFirst() else { return nil }
                for _ in 0..<count { draw(repeated) }
            case UInt8(ascii: "$"): place.x = 0
            case UInt8(ascii: "-"): place = Pixel(x: 0, y: place.y + 6)
            case _: draw(byte)
            }
        }
    }

    private static func numbers(_ bytes: inout ArraySlice<UInt8>) -> [Int] {
        let text = bytes.prefix { $0 == UInt8(ascii: ";") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        bytes = bytes.dropFirst(text.count)
        return String(decoding: text, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
    }

    private mutating func select(_ numbers: [Int]) {
        colour = numbers.first ?? 0
        // If the second number is 2, the other three are red, green and blue.
        if numbers.count == 5, numbers[1] == 2 { palette[colour] = Array(numbers[2...]) }
    }

    private mutating func draw(_ byte: UInt8) {
        guard (63...126).contains(byte) else { return }
        for line in 0..<6 where (byte - 63) >> UInt8(line) & 1 == 1 {
            pixels[Pixel(x: place.x, y: place.y + line)] = palette[colour]
        }
        place.x += 1
    }
}

struct KittyPictureTests {
    @Test func `each row of cells is a file with its pixels, at its place`() throws {
        let seed = Seed.chosen()
        var random = SplitMix64(seed: seed)
        let frame = (0..<PanelGeometry.bytesPerFrame).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        // At the largest scale, a file is sent in several pieces.
        for scale in [1, 2, 8] {
            let image = PanelImage(
                frame: frame, type: .kitty, scale: scale, cell: PixelSize(width: 10, height: 21 * scale),
                place: CellRect(column: 4, row: 3, columns: 50, rows: 30))
            let text = KittyPicture.text(image, rows: image.rows) { "<\($0.column),\($0.row)>" }
            let parts = text.split(separator: "<")
            #expect(parts.count == image.rows.count)
            for (row, part) in parts.enumerated() {
                #expect(part.hasPrefix("4,\(3 + row)>"))
                let pieces = part.split(separator: "\u{1B}_G").dropFirst().map { $0.dropLast(2).split(separator: ";") }
                let head = try #require(pieces.first?.first)
                #expect(head.contains("a=T") && head.contains("f=100") && head.contains("i=\(7_001 + row)"))
                #expect(pieces.dropLast().allSatisfy { $0[0].hasSuffix("m=1") && $0[1].count == 4_096 })
                #expect(pieces.last?[0].hasSuffix("m=0") == true)
                let file = try #require(Data(base64Encoded: pieces.map { String($0[1]) }.joined()))
                let picture = try PortableNetworkGraphics.picture(in: Array(file))
                #expect(picture.size.width == image.width)
                #expect(picture.size.height == image.lines(ofRows: row..<row + 1))
                for y in 0..<picture.size.height {
                    for x in 0..<image.width {
                        let line = (row * image.cell.height + y) / scale
                        let byte = frame[line * PanelGeometry.bytesPerLine + x / scale / 8]
                        let isLit = byte & 0x80 >> UInt8(x / scale % 8) != 0
                        if picture.pixels[y * image.width + x] != (isLit ? 255 : 0) {
                            Issue.record("seed \(seed): \(x), \(y) of row \(row) at scale \(scale)")
                            return
                        }
                    }
                }
            }
        }
    }
}
