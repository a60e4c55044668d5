import Testing

@testable import Watch

@Suite struct RectTests {
    @Test func edgesAndSizesAgree() {
        let rect = Rect(x: -3, y: 4, width: 10, height: 20)
        #expect(rect == Rect(left: -3, top: 4, right: 7, bottom: 24))
        #expect(rect.width == 10 && rect.height == 20 && !rect.isEmpty)
        #expect(rect.contains(x: -3, y: 4) && rect.contains(x: 6, y: 23))
        #expect(!rect.contains(x: 7, y: 4) && !rect.contains(x: -3, y: 24) && !rect.contains(x: -4, y: 4))
    }

    @Test func whatIsInsideOutIsEmpty() {
        let rect = Rect(left: 5, top: 5, right: 2, bottom: 9)
        #expect(rect.isEmpty && rect.width == 0)
    }

    @Test func intersectionHasThePixelsOfBoth() {
        let both = Rect(x: 0, y: 0, width: 10, height: 10).intersection(Rect(x: 6, y: -5, width: 10, height: 8))
        #expect(both == Rect(left: 6, top: 0, right: 10, bottom: 3))
        #expect(Rect(x: 0, y: 0, width: 2, height: 2).intersection(Rect(x: 5, y: 0, width: 2, height: 2)).isEmpty)
    }
}
