import Testing

@testable import Pictures

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

    @Test func `A pixel is the mean of what it covers, also where it covers parts of pixels`() {
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
