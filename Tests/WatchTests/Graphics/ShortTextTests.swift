import Testing

@testable import Watch

@Suite struct ShortTextTests {
    private func string(_ text: ShortText) -> String {
        let bytes = text.utf8
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    @Test(arguments: [0, 9, 10, 99, 100, 9_999, 1_000_000_000, 4_294_967_295] as [UInt32])
    func numbersAreDecimal(number: UInt32) {
        #expect(string(ShortText(number)) == String(number))
    }

    @Test func numbersArePaddedWithZeroes() {
        var text = ShortText()
        text.append(7, digits: 2)
        text.append(":")
        text.append(30, digits: 2)
        #expect(string(text) == "07:30")
    }

    @Test func whatDoesNotFitIsDropped() {
        var text = ShortText()
        for _ in 0..<30 { text.append("ab") }
        text.append(12)
        #expect(string(text) == String(repeating: "ab", count: 24))
    }
}
