import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct CleanTitleTests {
    @Test(arguments: [
        ("Milk", "Milk"), ("  Milk  ", "Milk"), ("Rye \t bread", "Rye bread"), ("two\nlines", "two lines"),
        ("CR\r\nLF", "CR LF"), ("\u{1B}[31mred", "[31mred"), ("nul\u{0}l", "null"), ("C1\u{9B}2J", "C12J"),
        ("\u{FEFF}BOM", "BOM"), ("a\u{2028}b", "a b"), ("\u{202E}gnp.exe", "gnp.exe"),
        ("חלב", "חלב"), ("👩‍👩‍👧‍👦 party", "👩‍👩‍👧‍👦 party"), ("Ångström", "Ångström"), ("100\u{A0}g", "100\u{A0}g"),
    ])
    func `a title is one line without control characters`(raw: String, clean: String) throws {
        #expect(try CleanTitle(raw).text == clean)
    }

    @Test(arguments: ["", " ", "\u{0}", "\t\r\n", "\u{202E}", "\u{FEFF}"])
    func `a title of nothing is refused`(raw: String) {
        #expect(throws: PhoneError.emptyTitle) { try CleanTitle(raw) }
    }

    @Test func `invalid UTF-8 is replaced`() throws {
        #expect(try CleanTitle(String(decoding: [0x4D, 0xFF, 0xC3, 0x6B], as: UTF8.self)).text == "M\u{FFFD}\u{FFFD}k")
    }

    @Test func `cleaning what is clean changes nothing`() throws {
        var generator = SplitMix64(seed: 11)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            guard let clean = try? CleanTitle(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(try CleanTitle(clean.text) == clean, "\(bytes)")
        }
    }
}
