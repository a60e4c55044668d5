import Testing

@testable import TapLatency

@Suite struct FigureTests {
    @Test(arguments: [
        (0, "0 µs"), (0.42, "0.420 µs"), (3.1, "3.10 µs"), (61.25, "61.3 µs"), (204, "204 µs"), (999.4, "999 µs"),
        (999.6, "1.00 ms"), (2_619, "2.62 ms"), (12_041, "12.0 ms"), (99_960, "100 ms"), (999_600, "1.00 s"),
        (3_311_820, "3.31 s"), (5_000_000_000, "5,000 s"), (-2_500, "−2.50 ms"),
    ])
    func `A time has three significant digits in the unit that suits it`(time: Double, text: String) {
        #expect(Figure.time(time) == text)
    }

    @Test func `Whole microseconds have no invented digits, and a missing figure is an en dash`() {
        #expect(Figure.time(UInt64(7)) == "7 µs")
        #expect(Figure.time(UInt64(1_000)) == "1.00 ms")
        #expect(Figure.time(UInt64?.none) == "–")
        #expect(Figure.change(nil) == "–")
        #expect(Figure.difference(.infinity) == "–")
        #expect(Figure.time(Double.nan) == "–")
    }

    @Test func `A change has its sign`() {
        #expect(Figure.change(239) == "+239 µs")
        #expect(Figure.change(-2_834_069) == "−2.83 s")
        #expect(Figure.change(0) == "±0 µs")
        #expect(Figure.change(.min) == "−9,223,372,036,855 s")
    }

    @Test func `Shares and amounts`() {
        #expect(Figure.share(0.856) == "86 %")
        #expect(Figure.share(0.0362) == "3.6 %")
        #expect(Figure.difference(-0.0183) == "−1.83 %")
        #expect(Figure.difference(-0.000_01) == "±0.00 %")
        #expect(Figure.amount(61_804) == "61,804")
        #expect(Figure.count(-1_234_567) == "−1,234,567")
    }

    @Test func `Figures beyond all use trap nothing`() {
        #expect(!Figure.time(UInt64.max).isEmpty)
        #expect(!Figure.time(Double.greatestFiniteMagnitude).isEmpty)
        #expect(!Figure.amount(-1e300).isEmpty)
        #expect(!Figure.count(.min).isEmpty)
    }
}
