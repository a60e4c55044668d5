import Testing

@testable import Pictures

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
