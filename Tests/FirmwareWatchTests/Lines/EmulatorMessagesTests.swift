import Testing

@testable import FirmwareWatch

struct EmulatorMessagesTests {
    private let expected = "qemu-system-arm: warning: nic lan9118.0 has no peer\n"

    private func heard(_ pieces: [String]) -> String {
        var messages = EmulatorMessages()
        return String(decoding: pieces.flatMap { messages.hear(Array($0.utf8)) }, as: UTF8.self)
    }

    @Test func `the line that is so on every start is left out, however it comes`() {
        #expect(heard([expected]) == "")
        #expect(heard([expected + "qemu: fatal\n"]) == "qemu: fatal\n")
        #expect(heard(expected.map { String($0) } + ["qemu: fatal\n"]) == "qemu: fatal\n")
        #expect(heard(["", expected, ""]) == "")
    }

    @Test func `everything else stays`() {
        #expect(heard(["qemu-system-arm: warning: else\n"]) == "qemu-system-arm: warning: else\n")
        #expect(heard(["qemu-system-arm: w", "rong\n"]) == "qemu-system-arm: wrong\n")
        #expect(heard(["it\n", expected]) == "it\n" + expected)
        #expect(heard([expected, expected]) == expected)
    }
}
