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

    @Test func `the emulator ends with whoever started it`() {
        #expect(words().prefix(4) == ["setpriv", "--pdeathsig", "KILL", "--"])
    }

    @Test func `the emulator does not start when whoever started it has ended`() throws {
        #expect(try end(parent: getpid()) == .exited(status: 0))
        #expect(try end(parent: 1) == .exited(status: 1))
    }

    /// How a command ends whose emulator is `true`, as a child of `parent`'s or not.
    private func end(parent: pid_t) throws -> ChildProcess.End {
        let command = QEMUCommand(
            emulator: "true", image: "image", flash: "flash",
            settings: BootSettings(pacing: .free, calendar: nil, seed: 1), parent: parent)
        var process = try ChildProcess(command.words, group: .own, descriptors: [])
        return process.awaitEnd()
    }
}
