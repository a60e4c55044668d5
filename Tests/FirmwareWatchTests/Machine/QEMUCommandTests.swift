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

    @Test func `the board is told who moves its clock on`() {
        #expect(words(pacing: .paced).contains("loader,addr=553713664,data=1346454341,data-len=4"))
        #expect(words(pacing: .free).contains("loader,addr=553713664,data=0,data-len=4"))
    }

    @Test func `the emulator ends with whoever started it`() {
        #expect(words().prefix(5) == ["setpriv", "--pdeathsig", "KILL", "--", "qemu-system-arm"])
    }
}
