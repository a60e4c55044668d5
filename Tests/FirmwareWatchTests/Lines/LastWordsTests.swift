import Testing

@testable import FirmwareWatch

struct LastWordsTests {
    private func status(_ pieces: [String]) -> CInt? {
        var words = FinalOutput()
        for piece in pieces { words.hear(Array(piece.utf8)) }
        return words.status
    }

    @Test func `the last line ends with the status`() {
        #expect(status(["usage fault pc 00000b14 bfar 00000000 status 70\n"]) == 70)
        #expect(status(["first\n", "a check", " sta", "tus 7", "1\n"]) == 71)
        #expect(status([String(repeating: "x", count: 10_000), " status 255\n"]) == 255)
    }

    @Test(
        arguments: [
            [], [""], ["status 70"], ["a status 70 and more\n"], ["a status 70\n\n"], ["a status 256\n"],
            ["a status -1\n"], ["a status\n"], ["a STATUS 70\n"], ["a status 70\nmore\n"],
        ] as [[String]])
    func `any other end tells none`(_ pieces: [String]) {
        #expect(status(pieces) == nil)
    }
}
