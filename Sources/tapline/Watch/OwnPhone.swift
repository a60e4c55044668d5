import CommandSupport
import DeviceModel
import Foundation
import HostSystem
import Logging
import PhoneHost
import WatchLink
import Wormhole

/// A script's own phone: a phone's host in this process, with a database and sockets in a private directory.
final class OwnPhone: ScriptPhone {
    /// How long a change waits for a watch: 5 min, against hanging alone.
    private static let patience = Duration.seconds(300)

    /// The path of the socket for watches.
    let socketPath: String
    private let store: PhoneStore
    private let server: PhoneServer

    /// Starts a phone without a list.
    ///
    /// - Throws: `PhoneError` if there is no room for its files.
    init(in directory: PrivateDirectory) throws {
        let database = directory.file("phone.sqlite")
        let store = try PhoneStore(path: database)
        let sockets = try PhoneSockets(in: directory.file("sockets"), database: database)
        let server = PhoneServer(
            store: store, sockets: sockets, name: "Script",
            logger: Logger(label: "tapline.script") { _ in SwiftLogNoOpLogHandler() })
        try runBlocking { try await server.start() }
        socketPath = sockets.watchPath
        (self.store, self.server) = (store, server)
    }

    /// Stops serving and closes the database.
    func end() {
        let (store, server) = (store, server)
        try? runBlocking {
            await server.stop()
            try store.close()
        }
    }

    func make(_ edit: ScriptPhoneEdit, awaitingAbsent: Bool) throws(ScriptPhoneError) -> Bool {
        do {
            return try runBlocking { [self] in
                try await perform(edit)
                await server.listChanged()
                await server.settled()
                return try await isDelivered(awaitingAbsent: awaitingAbsent)
            }
        } catch {
            throw ScriptPhoneError(reason: "\(error)")
        }
    }

    private func perform(_ edit: ScriptPhoneEdit) async throws {
        switch edit {
        case .add(let title): try await store.add([ItemDraft(title: try CleanTitle(title))])
        case .check(let query): try await change(query) { .check(at: $0) }
        case .remove(let query): try await change(query) { .remove(at: $0) }
        }
    }

    private func change(_ query: String, _ action: @Sendable (Date) -> ListEdit.Action) async throws {
        let item = try ItemSelector(try await store.contents(), preferring: .open).item(query)
        switch try await store.apply(ListEdit(item: item.id, action: action(Date())), origin: .command) {
        case .changed: break
        case .unchanged, .unknownItem: throw ScriptPhoneError(reason: "\"\(item.title)\" is checked off already")
        }
    }

    /// Waits until the watches have acknowledged everything. Returns whether there are any and they have.
    private func isDelivered(awaitingAbsent: Bool) async throws -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + OwnPhone.patience
        while clock.now < end {
            let connected = await server.connectedWatches
            // A watch that has come back is queued what it lacks.
            await server.settled()
            let awaited = try await store.watches().filter {
                awaitingAbsent || connected.contains(PeerIdentity(rawValue: $0.identity))
            }
            guard !awaited.isEmpty else { return false }
            let areReached = awaited.allSatisfy {
                $0.waiting == 0 && connected.contains(PeerIdentity(rawValue: $0.identity))
            }
            if areReached { return true }
            try await Task.sleep(for: .milliseconds(2))
        }
        return false
    }
}

/// A directory of this run alone, which goes with it: when this value does, and when the program is asked to end.
final class PrivateDirectory: Sendable {
    let path: String

    /// A new directory that only its owner may enter, with a path short enough for sockets.
    ///
    /// - Parameter isCleanedUp: whether it is also removed if a signal ends the program.
    init(isCleanedUp: Bool = true) throws(CommandFailure) {
        let place = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var failure: CInt = 0
        for parent in [place, "/tmp"].compactMap(\.self) {
            var template = Array("\(parent)/tapline-script.XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if isCleanedUp { ExitCleanup.remove(path) }
                return
            }
            failure = errno
        }
        throw CommandFailure(
            "no directory for the script's files can be made in /tmp: \(String(cString: strerror(failure)))")
    }

    deinit { remove() }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes it with all that is in it. A second time it does nothing.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
        ExitCleanup.forget(path)
    }
}
