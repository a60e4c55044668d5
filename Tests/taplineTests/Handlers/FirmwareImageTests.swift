import CommandSupport
import Testing

struct FirmwareImageTests {
    private static let beside = "/src/.build/armv7em-none-none-eabi/release/Firmware"

    @Test func `the image beside the command's own build is the usual one`() {
        let path = FirmwareImage.watch.usualPath(executable: "/src/.build/x86_64-unknown-linux-gnu/debug/tapline") {
            $0 == Self.beside
        }
        #expect(path == Self.beside)
    }

    @Test(arguments: ["/usr/local/bin/tapline", nil])
    func `without one it is that of the current directory`(executable: String?) {
        let path = FirmwareImage.watch.usualPath(executable: executable) { _ in false }
        #expect(path == ".build/armv7em-none-none-eabi/release/Firmware")
    }
}
