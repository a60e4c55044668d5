import SeededNumbers
import Testing
import Watch
import WatchLink

@testable import TerminalWatch

struct SixelPictureTests {
    /// A panel with random pixels in random areas.
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
            // Nothing beside the panel, and below it no more than the rest of a sixel.
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
