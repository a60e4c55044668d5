import Foundation
import HostSystem
import Logging
import Synchronization
import WatchLink
import Wormhole
import WormholeTesting

@testable import PhoneHost

/// A phone on a copy of a frozen database, which it serves on a link in memory.
final class FrozenPhone: Sendable {
    private let directory: URL
    let path: String
    let store: PhoneStore
    let link = InMemoryLink()
    private let changes = InMemoryLink()
    private let server: PhoneServer

    /// - Parameter files: the database and what lay beside it, by the end of their names: "" or "-wal".
    init(_ files: [String: [UInt8]] = [:], dependencies: PhoneDependencies = .system) async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "tl-\(UInt32.random(in: 1 ... .max))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appending(path: "phone.sqlite").path
        for (ending, bytes) in files { try Data(bytes).write(to: URL(filePath: path + ending)) }
        store = try PhoneStore(path: path, dependencies: dependencies)
        var logger = Logger(label: "frozen")
        logger.logLevel = .critical
        server = PhoneServer(
            store: store, watches: link.listener, changes: changes.listener, name: "Phone", clock: ManualClock(),
            logger: logger)
        try await server.start()
    }

    /// A phone on a frozen database, and the write-ahead log beside it where there is one.
    convenience init(opening file: FrozenFile) async throws {
        let log = file.beside("sqlite-wal")
        try await self.init(["": try file.bytes()].merging(log.exists ? ["-wal": try log.bytes()] : [:]) { $1 })
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// Tells the watches of what was changed in `store`.
    func listChanged() async {
        await server.listChanged()
        await server.settled()
    }

    func settle() async { await server.settled() }

    func stop() async throws {
        await server.stop()
        try store.close()
    }

    /// The database as a killed process leaves it: the file, and its write-ahead log.
    func files() throws -> [String: [UInt8]] {
        var files = ["": Array(try Data(contentsOf: URL(filePath: path)))]
        if let log = try? Data(contentsOf: URL(filePath: path + "-wal")), !log.isEmpty { files["-wal"] = Array(log) }
        return files
    }

    // MARK: What the owner sees

    /// The titles of the open items of the active list, in order.
    func rows() async throws -> [String] { try await store.contents().open.map(\.title) }

    /// The history in words, "watch checked Milk", oldest first, without the items that only came and went.
    func history() async throws -> [String] {
        try await store.history(events: [.checked, .repeated, .unchecked, .rejected]).map { entry in
            let who =
                switch entry.origin {
                case .command: "command"
                case .imported: "import"
                case .phone: "phone"
                case .watch: "watch"
                }
            return "\(who) \(entry.event.rawValue) \(entry.title ?? "an unknown item")"
        }
    }
}
