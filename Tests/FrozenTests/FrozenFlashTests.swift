import DeviceModel
import Testing
import Watch

/// A watch starts from the flash of every earlier version with the rows and the waiting check-offs that were written
/// down when it was frozen.
@Suite struct FrozenFlashTests {
    static let flashes = ["flash", "pairs", "links"].flatMap { FrozenFile.all(in: $0, withExtension: "flash") }

    @Test func `every kind of flash is there`() {
        #expect(FrozenFlashTests.flashes.count >= 7)
    }

    @Test(arguments: flashes) func `a watch shows what it showed`(_ file: FrozenFile) throws {
        let written = try WrittenDown(try file.beside("expected").text())
        let watch = try FrozenWatch(MemoryFlash(frozen: try file.bytes()), handler: ShippingHandler())
        try expect(watch, written)
        // What it has written since is read back too.
        try expect(try FrozenWatch(watch.flash.contents, handler: ShippingHandler()), written)
    }

    private func expect(_ watch: FrozenWatch<ShippingHandler>, _ written: WrittenDown) throws {
        let rows = written["watch row"]
        if !rows.isEmpty || written.single("watch rows") == "none" { #expect(watch.show(rows)) }
        #expect(watch.screen.title == written.single("watch title") ?? "")
        #expect(Int(watch.screen.waitingMessages) == written["watch waiting"].count)
    }
}
