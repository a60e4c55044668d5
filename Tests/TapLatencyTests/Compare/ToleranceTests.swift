import Testing

@testable import TapLatency

@Suite struct ToleranceTests {
    @Test(arguments: [("2%", 2.0), ("2 %", 2), ("2", 2), ("0.5%", 0.5), ("0", 0), ("0%", 0), ("150%", 150)])
    func `A share of a text is read`(text: String, percent: Double) throws {
        #expect(try Tolerance(text).percent == percent)
    }

    @Test(arguments: [
        "", " ", "%", "-1", "-1%", "-0", "+1", "nan", "NaN%", "inf", "1e3", "0x10", "2%%", "% 2", "1.2.3", ".5", "5.",
        "1,5",
        "two", "2\n", "٢", String(repeating: "9", count: 400),
    ])
    func `What is no share is refused in a line that says what to give`(text: String) throws {
        let error = #expect(throws: TapLatencyError.self) { try Tolerance(text) }
        #expect(error == .tolerance(text))
        let description = try #require(error?.description)
        #expect(description.hasSuffix("is no tolerance: give per cent, 0 or more, as in 2% or 0.5%"))
        #expect(!description.contains("\n"))
    }

    @Test func `It is written as it was meant`() throws {
        #expect(try ["2%", "0.5", "0"].map { try Tolerance($0).words } == ["2 %", "0.5 %", "0 %"])
    }

    @Test func `A growth by exactly the tolerance is tolerated, and of nothing none is`() throws {
        #expect(try !Tolerance("3").isExceeded(by: 3, of: 100))
        #expect(try Tolerance("3").isExceeded(by: 4, of: 100))
        #expect(try !Tolerance("0").isExceeded(by: 0, of: 100))
        #expect(try Tolerance("0").isExceeded(by: 1, of: .max))
        #expect(try !Tolerance("50").isExceeded(by: 0, of: 0))
        #expect(try Tolerance("50").isExceeded(by: 1, of: 0))
    }
}
