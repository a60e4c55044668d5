import Testing

@testable import tapline

struct TimeTextTests {
    @Test(arguments: [
        (0, "0 µs"), (96, "96 µs"), (999, "999 µs"), (1_000, "1.00 ms"), (1_346, "1.35 ms"), (9_996, "10.0 ms"),
        (16_666, "16.7 ms"), (99_960, "100 ms"), (233_412, "233 ms"), (3_310_000, "3.31 s"), (61_000_000, "61.0 s"),
    ] as [(UInt64, String)])
    func `a time has three digits that count`(time: UInt64, text: String) {
        #expect(TimeText.text(time) == text)
    }

    @Test func `a difference has its sign`() {
        #expect(TimeText.difference(-1_500) == "-1.50 ms")
        #expect(TimeText.difference(3_310_000) == "+3.31 s")
        #expect(TimeText.difference(0) == "±0 µs")
    }

    @Test func `a bar is as long as its share, and never invisible`() {
        #expect(BarText.bar(100, of: 100, width: 4) == "████")
        #expect(BarText.bar(50, of: 100, width: 4) == "██  ")
        #expect(BarText.bar(1, of: 1_000_000, width: 4) == "▏   ")
        #expect(BarText.bar(0, of: 100, width: 4) == "    ")
        #expect(BarText.bar(56, of: 64, width: 8) == "███████ ")
        #expect(BarText.bar(57, of: 64, width: 8) == "███████▏")
    }
}
