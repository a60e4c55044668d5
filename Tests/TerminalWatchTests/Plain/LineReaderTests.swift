import Testing

@testable import TerminalWatch

struct LineReaderTests {
    @Test func `lines come as soon as they are complete, however the bytes are split`() {
        var reader = LineReader()
        #expect(reader.take("tap".utf8).isEmpty)
        #expect(reader.take(" 0\nqu".utf8) == ["tap 0"])
        #expect(reader.take("it\n\n".utf8) == ["quit", ""])
        #expect(reader.end() == nil)
    }

    @Test func `the end of the input ends the last line`() {
        var reader = LineReader()
        _ = reader.take("quit".utf8)
        #expect(reader.end() == "quit")
        #expect(reader.end() == nil)
    }

    @Test func `a line without end does not fill the memory`() {
        var reader = LineReader()
        let lines = reader.take([UInt8](repeating: 0x61, count: 100_000))
        #expect(lines.allSatisfy { $0.utf8.count == LineReader.longestLine })
    }

    @Test func `bytes that are no text are replaced`() {
        var reader = LineReader()
        #expect(reader.take([0xFF, 0x0A]) == ["\u{FFFD}"])
    }
}
