import DeviceModel
import Testing
import Watch

/// A watch and its phone, both as an earlier version left them, meet: every check-off that waited is applied once, in its
/// order, nothing else is, and both then have the same rows.
@Suite(.timeLimit(.minutes(60))) struct FrozenPairTests {
    static let flashes = ["pairs", "links"].flatMap { FrozenFile.all(in: $0, withExtension: "flash") }

    @Test(arguments: flashes) func `what waited arrives`(_ file: FrozenFile) async throws {
        let written = try WrittenDown(try file.beside("expected").text())
        let phone = try await FrozenPhone(opening: file.beside("sqlite"))
        let watch = try FrozenWatch(MemoryFlash(frozen: try file.bytes()), handler: ShippingHandler())
        let pair = try await JoinedPair(watch, phone)
        let others = written.single("joined waiting for others").flatMap { Int($0) } ?? 0
        try await pair.run(others: others) { $0.rows.count == written["joined row"].count }
        await pair.cut()
        #expect(try await phone.rows() == written["joined row"])
        #expect(try await phone.history() == written["joined history"])
        #expect(watch.show(written["joined row"]))
        #expect(watch.screen.waitingMessages == 0)
        try await phone.stop()
    }
}
