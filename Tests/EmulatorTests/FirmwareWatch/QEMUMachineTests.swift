import Glibc
import HostSystem
import MPS2Memory
import Testing
import Watch

@testable import FirmwareWatch

struct QEMUCommandTests {
    private func words(flash: String = "flash", pacing: BootSettings.Pacing = .free) -> [String] {
        QEMUCommand(
            emulator: "qemu-system-arm", image: "image", flash: flash,
            settings: BootSettings(pacing: pacing, calendar: LocalTime(seconds: 9), seed: 7)
        ).words
    }

    @Test func `a comma in a file's name is no end of it`() {
        #expect(words(flash: "a,b,,c").contains { $0.contains("mem-path=a,,b,,,,c,share=on") })
    }

    @Test func `the command says who advances the board's clock`() {
        #expect(words(pacing: .paced).contains("loader,addr=554696704,data=1346454341,data-len=4"))
        #expect(words(pacing: .free).contains("loader,addr=554696704,data=0,data-len=4"))
    }

    @Test func `an image has no semihosting, no network, and no call that starts a program`() {
        let words = words()
        #expect(!words.contains { $0.contains("semihosting") })
        #expect(value(of: "-nic", in: words) == "none")
        #expect(
            value(of: "-sandbox", in: words)
                == "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny")
        #expect(value(of: "-monitor", in: words) == "none")
        #expect(words.contains("-nodefaults") && words.contains("-no-user-config"))
        #expect(words.contains("-no-reboot"))
    }

    private func value(of option: String, in words: [String]) -> String? {
        words.firstIndex(of: option).map { words[$0 + 1] }
    }

    @Test func `an emulator that gives up leaves no core file`() throws {
        #expect(words().contains { $0.hasPrefix("ulimit -c 0 && ") })
    }

    @Test func `the emulator ends with the process that started it`() {
        #expect(words().prefix(4) == ["setpriv", "--pdeathsig", "KILL", "--"])
    }

    @Test func `the emulator does not start if the process that started it has ended`() throws {
        #expect(try end(parent: getpid()) == .exited(status: 0))
        #expect(try end(parent: 1) == .exited(status: 1))
    }

    /// How a command ends, with `true` as the emulator, as a child of `parent` or not.
    private func end(parent: pid_t) throws -> ChildProcess.End {
        let command = QEMUCommand(
            emulator: "true", image: "image", flash: "flash",
            settings: BootSettings(pacing: .free, calendar: nil, seed: 1), parent: parent)
        var process = try ChildProcess(command.words, group: .own, descriptors: [])
        return process.awaitEnd()
    }
}

struct MachineEndTests {
}

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

struct FinalOutputTests {
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
