import Testing

@testable import DeviceModel

struct GreyPictureTests {
    private func fitted(_ width: Int, _ height: Int, within limit: PictureSize) -> PictureSize {
        PictureSize(width: width, height: height).fitted(within: limit)
    }

    @Test func `A picture keeps its shape, fits, and is never enlarged`() {
        let limit = PictureSize(width: 144, height: 144)
        #expect(fitted(144, 144, within: limit) == limit)
        #expect(fitted(10, 20, within: limit) == PictureSize(width: 10, height: 20))
        #expect(fitted(288, 100, within: limit) == PictureSize(width: 144, height: 50))
        #expect(fitted(100, 1_440, within: limit) == PictureSize(width: 10, height: 144))
        #expect(fitted(1_000_000, 1, within: limit) == PictureSize(width: 144, height: 1))
        #expect(fitted(145, 144, within: limit) == PictureSize(width: 144, height: 143))
        // What the sheet of a watch has room for.
        let sheet = PictureSize(width: 144, height: 104)
        #expect(fitted(144, 104, within: sheet) == sheet)
        #expect(fitted(144, 105, within: sheet) == PictureSize(width: 143, height: 104))
        #expect(fitted(288, 208, within: sheet) == sheet && fitted(208, 208, within: sheet).width == 104)
    }

    @Test func `A pixel is the mean of what it covers, also if it covers parts of pixels`() {
        let line = GreyPicture(size: PictureSize(width: 4, height: 1), pixels: [0, 100, 200, 250])
        #expect(line.fitted(within: PictureSize(width: 2, height: 1)).pixels == [50, 225])
        let thirds = GreyPicture(size: PictureSize(width: 3, height: 1), pixels: [0, 90, 255])
        // (0 + 90 / 2) / 1.5, (90 / 2 + 255) / 1.5
        #expect(thirds.fitted(within: PictureSize(width: 2, height: 1)).pixels == [30, 200])
        let square = GreyPicture(size: PictureSize(width: 2, height: 2), pixels: [0, 10, 20, 30])
        #expect(square.fitted(within: PictureSize(width: 1, height: 1)).pixels == [15])
    }

    @Test func `One grey stays that grey at every size`() {
        let picture = GreyPicture(
            size: PictureSize(width: 37, height: 53), pixels: Array(repeating: 119, count: 37 * 53))
        for side in 1..<40 {
            let small = picture.fitted(within: PictureSize(width: side, height: side))
            #expect(small.pixels.allSatisfy { $0 == 119 })
        }
    }
}

struct OneBitPictureTests {
    private func even(_ grey: UInt8, side: Int) -> GreyPicture {
        GreyPicture(size: PictureSize(width: side, height: side), pixels: Array(repeating: grey, count: side * side))
    }

    @Test func `The file has the magic number, the size and a line of whole bytes, a set bit black`() {
        let grey = GreyPicture(
            size: PictureSize(width: 10, height: 2),
            pixels: [0, 255, 0, 255, 0, 255, 0, 255, 0, 255] + [UInt8](repeating: 255, count: 9) + [0])
        let picture = OneBitPicture(grey, tones: .threshold(128))
        #expect(picture.portableBitmap == Array("P4\n10 2\n".utf8) + [0xAA, 0x80, 0x00, 0x40])
        #expect(OneBitPicture(grey, tones: .dithered).bytes == picture.bytes)
    }

    @Test(arguments: [0, 32, 64, 127, 128, 200, 255] as [UInt8])
    func `Of a grey as many pixels are white as it is bright`(grey: UInt8) {
        let picture = OneBitPicture(even(grey, side: 64), tones: .dithered)
        let black = picture.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
        // Floyd and Steinberg keep the mean but for what leaves the picture at its edges.
        let white = Double(4_096 - black) / 4_096
        let brightness = Double(grey) / 255
        #expect(abs(white - brightness) < 0.02)
    }

    @Test func `The threshold is white itself`() {
        #expect(OneBitPicture(even(99, side: 8), tones: .threshold(100)).bytes == Array(repeating: 255, count: 8))
        #expect(OneBitPicture(even(100, side: 8), tones: .threshold(100)).bytes == Array(repeating: 0, count: 8))
    }
}
