import Testing

@testable import FirmwareWatch

struct ConsoleLogTests {
    private func summary(_ texts: String...) -> String? {
        var log = ConsoleLog()
        for text in texts { log.hear(Array(text.utf8)) }
        return log.summary
    }

    @Test func `silence has no summary`() {
        #expect(summary() == nil)
        #expect(summary("\n\r\n") == nil)
    }

    @Test func `the last lines become one`() {
        #expect(summary("one\ntwo\nthree\nfo", "ur\r\nfive\n") == "two; three; four; five")
    }

    @Test func `nothing that could move a cursor is in it`() {
        #expect(summary("a\u{1B}[2Jb\u{7}c") == "a?[2Jb?c")
    }

    @Test func `of much text the end is kept`() throws {
        let summary = try #require(self.summary(String(repeating: "x", count: 9_000), "y"))
        #expect(summary.count == 8_192)
        #expect(summary.hasSuffix("xy"))
    }

    @Test func `the emulator's own complaint is all that counts`() {
        let registers = String(repeating: "R00=00000000\n", count: 20)
        #expect(summary("qemu: fatal: Lockup\n", registers) == "qemu: fatal: Lockup")
    }
}
