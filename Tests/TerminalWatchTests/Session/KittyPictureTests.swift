import DeviceModel
import Foundation
import SeededNumbers
import Testing
import Watch
import WatchLink

@testable import TerminalWatch

struct KittyPictureTests {
    @Test func `each row of cells is a file with its pixels, at its place`() throws {
        let seed = Seed.chosen()
        var random = SplitMix64(seed: seed)
        let frame = (0..<PanelGeometry.bytesPerFrame).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        // So large that a file takes several pieces.
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
