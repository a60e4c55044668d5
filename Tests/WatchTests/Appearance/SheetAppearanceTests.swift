import TestSupport
import Testing
import WatchLink

@testable import Watch

struct SheetAppearanceTests {
    private func drawn(_ draw: (inout Framebuffer) -> Void) -> Canvas {
        let canvas = Canvas()
        canvas.framebuffer.invert(Rect(x: 10, y: 10, width: 100, height: 100))
        draw(&canvas.framebuffer)
        return canvas
    }

    private func status(
        _ link: LinkIndicator, waiting: UInt32, notice: StatusNotice = .none, signs: ShownSigns = ShownSigns()
    ) -> Canvas {
        drawn { SheetAppearance.drawStatus(link: link, waiting: waiting, notice: notice, signs: signs, into: &$0) }
    }

    private func title(_ title: ItemTitle) -> Canvas { drawn { SheetAppearance.drawFullTitle(title, into: &$0) } }

    private func pairing(_ digits: UInt32) -> Canvas {
        drawn { SheetAppearance.drawPairing(digits: digits, into: &$0) }
    }

    @Test func `the status sheet shows every state of the link`() throws {
        try GoldenImage.expect(status(.reachable, waiting: 0), "sheet-status-reachable")
        try GoldenImage.expect(status(.connecting, waiting: 3), "sheet-status-connecting")
        try GoldenImage.expect(status(.down, waiting: 128), "sheet-status-down")
    }

    @Test func `every notice fits under the status, and names no kind of message, for any may be lost`() throws {
        var notice = StatusNotice.none
        while let next = StatusNotice(rawValue: notice.rawValue + 1) {
            notice = next
            let canvas = status(.reachable, waiting: 128, notice: notice)
            #expect(canvas.litArea.map { $0.left >= 0 && $0.right <= 144 && $0.bottom <= 168 } == true)
            let (first, second) = try #require(notice.lines)
            for line in [first, second] { #expect(Font.row.width(of: line.utf8) <= 140, "\(line)") }
            #expect(!"\(second)".contains("check-off"))
        }
        try GoldenImage.expect(
            status(.reachable, waiting: 1, notice: .notStored), "sheet-status-notice")
    }

    @Test func `signs and the words in the place of a notice fit, and are seen`() {
        let plain = status(.reachable, waiting: 0)
        for signs in [ShownSigns(isBatteryLow: true), ShownSigns(isPairable: true)] {
            #expect(status(.reachable, waiting: 0, signs: signs).bytes != plain.bytes)
            for line in [signs.lines.0, signs.lines.1] { #expect(Font.row.width(of: line.utf8) <= 140, "\(line)") }
        }
        let noticed = status(.reachable, waiting: 0, notice: .notStored, signs: ShownSigns(isPairable: true))
        #expect(noticed.bytes == status(.reachable, waiting: 0, notice: .notStored).bytes, "a notice comes first")
    }

    @Test func `a full title of any length has its card`() throws {
        try GoldenImage.expect(title(Canvas.title("Oat milk")), "sheet-title-short")
        try GoldenImage.expect(
            title(Canvas.title("Coffee beans, dark roast, 250 g, Žižkov")), "sheet-title-wrapped")
        try GoldenImage.expect(
            title(Canvas.title("Donaudampfschifffahrtsgesellschaft and much, much more")), "sheet-title-cut"
        )
        try GoldenImage.expect(title(ItemTitle()), "sheet-title-empty")
    }

    @Test func `the pairing sheet shows six digits`() throws {
        try GoldenImage.expect(pairing(123_456), "sheet-pairing")
        try GoldenImage.expect(pairing(7), "sheet-pairing-zeros")
    }

    @Test func `any title stays on its card`() {
        var random = CanvasRandom()
        for _ in 0..<TestLevel.rounds(40, nightly: 200) {
            let canvas = title(Canvas.title(bytes: random.text(upTo: 60)))
            #expect(canvas.litArea.map { $0.left >= 4 && $0.right <= 140 && $0.top >= 4 && $0.bottom <= 164 } == true)
        }
    }
}

struct FilePictureTests {
    private func picture(_ header: String, pixels: Int = 0, length: Int? = nil) -> FilePicture? {
        let bytes = Array(header.utf8) + [UInt8](repeating: 0, count: pixels)
        let first = Array(bytes.prefix(FilePicture.longestHeader))
        return FilePicture(generation: 1, length: length ?? bytes.count, header: first.span)
    }

    @Test func `numbers are behind white space and comments, and the pixels behind one byte of white space`() {
        for header in ["P4 9 3 ", "P4\n9\n3\n", "P4\n# by a program\n9 #wide\n3\n", "P4 \t\r\n 9 3\t"] {
            let found = picture(header, pixels: 6)
            #expect(found?.width == 9 && found?.height == 3 && found?.offset == header.utf8.count, "\(header)")
        }
        #expect(picture("P4 1024 65535 ", length: 14 + 128 * 65_535)?.height == 65_535)
    }

    @Test(arguments: [
        "", "P", "P4", "P4 ", "P4 8", "P4 8 ", "P4 8 8", "P5 8 8 ", "P48 8 ", "P4 8 8x", "P4 8 8#a\n", "P4 0 8 ",
        "P4 8 0 ", "P4 1025 1 ", "P4 -8 8 ", "P4 8 65536 ", "P4 99999999999999999999 8 ", "P4 8 4294967297 ",
        "P4 #" + String(repeating: "c", count: 200), "P4" + String(repeating: " ", count: 200) + "8 8 ",
    ])
    func `what is no picture, or has fewer pixels than it says, is none`(header: String) {
        #expect(picture(header, pixels: 8) == nil)
        #expect(picture("P4 9 4 ", pixels: 7) == nil)
    }

    @Test func `no bytes trap, and the pixels are in the file`() {
        withSeeds(20, "pictures of any bytes") { random, seed in
            let letters = Array("P4 #\n0123456789x".utf8)
            for _ in 0..<500 {
                let count = Int.random(in: 0...40, using: &random)
                let bytes = [0x50, 0x34] + (0..<count).map { _ in letters[Int.random(in: 0..<16, using: &random)] }
                guard let found = FilePicture(generation: 1, length: bytes.count, header: bytes.span) else { continue }
                #expect(found.offset + found.bytesPerLine * found.height <= bytes.count, "seed \(seed)")
            }
        }
    }
}
