import HostSystem
import Testing

/// Text from a peer can neither control a terminal nor forge a line of the log.
@Suite struct SanitizedLineTests {
    @Test(arguments: [
        ("\u{1B}[2J\u{1B}]0;title\u{7}", "\u{FFFD}[2J\u{FFFD}]0;title\u{FFFD}"),
        ("Milk\n2026-11-22 info: all is well", "Milk\u{FFFD}2026-11-22 info: all is well"),
        ("a\rb", "a\u{FFFD}b"), ("a\r\nb", "a\u{FFFD}\u{FFFD}b"), ("a\u{85}b\u{9B}c", "a\u{FFFD}b\u{FFFD}c"),
        ("a\u{2028}b\u{2029}c", "a\u{FFFD}b\u{FFFD}c"), ("a\u{0}b\u{7F}\t", "a\u{FFFD}b\u{FFFD}\u{FFFD}"),
        ("\u{202E}kliM", "\u{FFFD}kliM"), ("\u{2066}a\u{2069}\u{202A}", "\u{FFFD}a\u{FFFD}\u{FFFD}"),
        ("\u{FEFF}a", "\u{FFFD}a"),
    ])
    func `What moves a cursor, ends a line or turns the direction of a text is replaced`(_ raw: String, _ shown: String)
    {
        #expect(SanitizedLine(raw).text == shown)
        #expect("\(SanitizedLine(raw))" == shown)
    }

    @Test(arguments: [
        "", "Milk", "M\u{FC}sli \u{1F95C}", "\u{1F469}\u{200D}\u{1F373}", "\u{5D0}\u{200F}!", "\u{AD}",
        "\u{1F3F4}\u{E0067}",
    ])
    func `What people write stays`(_ text: String) {
        #expect(SanitizedLine(text).text == text)
    }

    @Test
    func `No scalar of any line is a control character or an override, and a line is as long as its limit at most`() {
        var all = String.UnicodeScalarView()
        for value in UInt32(0)...0x10FFFF { if let scalar = Unicode.Scalar(value) { all.append(scalar) } }
        let line = SanitizedLine(String(all), limit: .max)
        #expect(line.text.unicodeScalars.count == all.count)
        #expect(line.text.unicodeScalars.allSatisfy(SanitizedLine.isPlain))
        #expect(
            SanitizedLine(String(repeating: "a", count: 1_001)).text == String(repeating: "a", count: 1_000)
                + "\u{2026}")
    }

    @Test func `A text of several lines keeps its lines and columns and nothing else`() {
        #expect(SanitizedLine.lines("a\tb\nc\r\u{1B}d\n") == "a\tb\nc\u{FFFD}\u{FFFD}d\n")
    }
}

@Suite struct CountTextTests {
    @Test func `One thing is one, and none or several are many`() {
        #expect(
            "\(CountText(0, "message")), \(CountText(1, "message")), \(CountText(2, "message"))"
                == "0 messages, 1 message, 2 messages")
        #expect(
            "\(CountText(1, "entry", "entries")), \(CountText(UInt32(7), "entry", "entries"))" == "1 entry, 7 entries")
        #expect("\(CountText(Int64(-1), "second"))" == "-1 seconds")
    }
}

@Suite struct EditDistanceTests {
    @Test(arguments: [
        ("wacth", "watch", 1), ("ad", "add", 1), ("", "lab", 3), ("lab", "lab", 0), ("xyz", "lab", 3),
        ("servee", "serve", 1),
    ])
    func `letters that are wrong, missing, too many or changed count`(word: String, name: String, errors: Int) {
        #expect(EditDistance.between(word, name) == errors)
    }
}
