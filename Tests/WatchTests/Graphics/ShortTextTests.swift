import Testing

@testable import Watch

struct ShortTextTests {
    private func string(_ text: ShortText) -> String {
        let bytes = text.utf8
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    @Test(arguments: [0, 9, 10, 99, 100, 9_999, 1_000_000_000, 4_294_967_295] as [UInt32])
    func `numbers are decimal`(number: UInt32) {
        #expect(string(ShortText(number)) == String(number))
    }

    @Test func `numbers are padded with zeroes`() {
        var text = ShortText()
        text.append(7, digits: 2)
        text.append(":")
        text.append(30, digits: 2)
        #expect(string(text) == "07:30")
    }

    @Test func `what does not fit is dropped`() {
        var text = ShortText()
        for _ in 0..<30 { text.append("ab") }
        text.append(12)
        #expect(string(text) == String(repeating: "ab", count: 24))
        text = ShortText()
        for _ in 0..<30 { text.append("aé") }
        #expect(string(text) == String(repeating: "aé", count: 16))
        text = ShortText(1)
        for _ in 0..<16 { text.append("aé") }
        #expect(string(text) == "1" + String(repeating: "aé", count: 15) + "a")
    }
}

struct ShortTextWordingTests {
    private func string(_ build: (inout ShortText) -> Void) -> String {
        var text = ShortText()
        build(&text)
        let bytes = text.utf8
        return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }

    @Test(
        arguments: [
            (0, "just now"), (3_599, "just now"), (3_600, "1 hour ago"), (7_200, "2 hours ago"),
            (172_799, "47 hours ago"),
            (172_800, "2 days ago"), (.max, "49710 days ago"),
        ] as [(UInt32, String)])
    func `time since is in the largest unit that says enough`(seconds: UInt32, words: String) {
        #expect(string { $0.append(secondsAgo: seconds) } == words)
    }

    @Test(arguments: [(0, "0h"), (90_000, "25h"), (259_200, "3d"), (.max, "999d")] as [(UInt32, String)])
    func `brief time since has four characters at most`(seconds: UInt32, words: String) {
        #expect(string { $0.append(brieflySecondsAgo: seconds) } == words)
    }

    @Test(
        arguments: [
            (0, "+0 min"), (45, "+45 min"), (-45, "-45 min"), (60, "+1 h"), (-90, "-1 h 30"), (125, "+2 h 05"),
            (1_440, "+1 d"), (-1_600, "-1 d 2 h"), (.min, "-1491308 d 2 h"),
        ] as [(Int32, String)])
    func `time travel says how far and which way`(minutes: Int32, words: String) {
        #expect(string { $0.append(travelled: minutes) } == words)
    }

    @Test func `a date is short`() {
        #expect(string { $0.append(date: CalendarFields(LocalTime(seconds: 0))) } == "Thu 1 Jan")
    }
}
