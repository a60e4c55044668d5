import DeviceModel
import Foundation
import HostRadio
import PhoneHost
import Testing
import Watch

/// Tests a simulated watch and a phone in one process, joined over a socket. The tests use only the public products of
/// the package.
@Suite(.timeLimit(.minutes(60))) struct JoinedWatchTests {
    private let directory: URL

    init() throws {
        // Short, because the path of a Unix socket has at most 107 bytes.
        directory = FileManager.default.temporaryDirectory.appending(path: "tl-\(UInt32.random(in: 1 ... .max))")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    @Test func `What is added on the phone is on the watch, and what is checked off there is gone on the phone`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try PhoneStore(path: directory.appending(path: "phone.sqlite").path)
        _ = try await store.add([ItemDraft(title: try CleanTitle("Milk")), ItemDraft(title: try CleanTitle("Bread"))])
        let sockets = try PhoneSockets(
            in: directory.appending(path: "sockets").path, database: directory.appending(path: "phone.sqlite").path)
        let phone = PhoneServer(store: store, sockets: sockets, name: "Phone")
        try await phone.start()

        let watch = try makeWatch(phone: sockets.watchPath)
        let full = await snapshot(of: watch) { $0.description.screen == .list && $0.description.rows.count == 2 }
        try #require(full?.description.rows.map(\.title) == ["Milk", "Bread"])

        // The watch knows the rows before its panel shows them.
        await look(at: watch)
        let touch = watch.send(.tap(row: 0))
        let touched = await snapshot(of: watch) { $0.handled >= touch }
        try #require(touched?.taps.count == 1)
        while try await store.contents().open.map(\.title) != ["Bread"] {
            // A change through another connection to the database is not announced, so the test asks again.
            try await Task.sleep(for: .milliseconds(20))
        }

        watch.stop()
        await phone.stop()
    }

    private func makeWatch(phone path: String) throws -> SimulatedWatch {
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), radio: SocketRadio(path: path),
            clock: .real(HostClock()),
            calendar: .machine)
        return try SimulatedWatch(running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: 1))
    }

    /// Waits until the panel shows the newest rows and can be touched.
    private func look(at watch: SimulatedWatch) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // When all tests of the package start at once, this may take more than the second that one call waits.
                while case .timedOut = watch.waitUntilTouchable() {}
                continuation.resume()
            }
        }
    }

    /// Waits at most two minutes for a snapshot that meets `condition`. The watch may need that long when all tests of
    /// the package start at once.
    ///
    /// - Returns: the first such snapshot; nil if there is none in time, or if the watch stops.
    private func snapshot(
        of watch: SimulatedWatch, where condition: @escaping @Sendable (WatchSnapshot) -> Bool
    ) async -> WatchSnapshot? {
        await withCheckedContinuation { continuation in
            // Waiting for a watch blocks a thread.
            Thread.detachNewThread {
                switch watch.wait(for: .seconds(120), until: condition) {
                case .met(let snapshot): continuation.resume(returning: snapshot)
                case .timedOut, .stopped: continuation.resume(returning: nil)
                }
            }
        }
    }
}
