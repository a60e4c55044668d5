import Testing

@testable import TapLatency

@Suite struct FigureTextTests {
    @Test(arguments: [
        (0, "0 µs"), (0.42, "0.420 µs"), (3.1, "3.10 µs"), (61.25, "61.3 µs"), (204, "204 µs"), (999.4, "999 µs"),
        (999.6, "1.00 ms"), (2_619, "2.62 ms"), (12_041, "12.0 ms"), (99_960, "100 ms"), (999_600, "1.00 s"),
        (3_311_820, "3.31 s"), (5_000_000_000, "5,000 s"), (-2_500, "−2.50 ms"),
    ])
    func `A time has three significant digits in the unit that suits it`(time: Double, text: String) {
        #expect(plain(FigureText(time: time)) == text)
    }

    @Test func `Whole microseconds below a millisecond have no digits that nobody counted`() {
        #expect(plain(FigureText(time: UInt64(7))) == "7 µs")
        #expect(plain(FigureText(time: UInt64(1_000))) == "1.00 ms")
    }

    @Test func `What there is none of is an en dash`() {
        #expect(FigureText(time: UInt64?.none).text == "–")
        #expect(FigureText(change: nil).text == "–")
        #expect(FigureText(ratio: 5, to: 0).text == "–")
        #expect(FigureText(difference: .infinity).text == "–")
        #expect(FigureText(time: Double.nan).text == "–")
    }

    @Test func `A change has its sign`() {
        #expect(plain(FigureText(change: 239)) == "+239 µs")
        #expect(plain(FigureText(change: -2_834_069)) == "−2.83 s")
        #expect(plain(FigureText(change: 0)) == "±0 µs")
        #expect(plain(FigureText(change: .min)) == "−9,223,372,036,855 s")
    }

    @Test func `Shares, ratios and amounts`() {
        #expect(plain(FigureText(share: 0.856)) == "86 %")
        #expect(plain(FigureText(share: 0.0362)) == "3.6 %")
        #expect(plain(FigureText(difference: -0.0183)) == "−1.83 %")
        #expect(plain(FigureText(difference: -0.000_01)) == "±0.00 %")
        #expect(plain(FigureText(ratio: 2_631, to: 2_408)) == "1.09 ×")
        #expect(FigureText(amount: 61_804).text == "61,804")
        #expect(FigureText(count: -1_234_567).text == "−1,234,567")
    }

    @Test func `A tick has as many places as its axis needs`() {
        #expect(plain(FigureText(tick: 500_000, step: 500_000, end: 3_500_000)) == "0.5 s")
        #expect(plain(FigureText(tick: 2_000, step: 1_000, end: 5_000)) == "2 ms")
        #expect(FigureText(tick: 0, step: 1_000, end: 5_000).text == "0")
    }

    @Test func `Figures beyond all use trap nothing`() {
        #expect(!FigureText(time: UInt64.max).text.isEmpty)
        #expect(!FigureText(time: Double.greatestFiniteMagnitude).text.isEmpty)
        #expect(!FigureText(amount: -1e300).text.isEmpty)
        #expect(!FigureText(count: .min).text.isEmpty)
    }

    /// The text with ordinary spaces.
    private func plain(_ figure: FigureText) -> String {
        String(figure.text.map { $0 == "\u{A0}" ? " " : $0 })
    }
}
