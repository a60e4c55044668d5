import DeviceModel
import Foundation
import Logging
import PhoneHost
import WatchLink
import Wormhole

/// A script's own phone: a phone's host in this process, with a database and sockets in a private directory.
final class OwnPhone: ScriptPhone {
    /// How long a change waits for a watch that is connected: 5 min. A watch that stops answering is disconnected long before that.
    private static let patience = Duration.seconds(300)

    /// The path of the socket for watches.
    let socketPath: String
    private let store: PhoneStore
    private let server: PhoneServer

    /// Starts a phone without a list.
    ///
    /// - Throws: `PhoneError` where there is no room for its files.
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

    func make(_ edit: ScriptPhoneEdit) throws(ScriptPhoneError) -> ScriptPhoneDelivery {
        do {
            return try runBlocking { [self] in
                try await perform(edit)
                await server.listChanged()
                await server.settled()
                return try await delivery()
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

    /// Waits until the watches that are connected have acknowledged everything.
    private func delivery() async throws -> ScriptPhoneDelivery {
        let clock = ContinuousClock()
        let end = clock.now + OwnPhone.patience
        while clock.now < end {
            let connected = await server.connectedWatches
            guard !connected.isEmpty else { return .outstanding }
            let behind = try await store.watches().contains {
                $0.waiting > 0 && connected.contains(PeerIdentity(rawValue: $0.identity))
            }
            if !behind { return .acknowledged }
            try await Task.sleep(for: .milliseconds(2))
        }
        return .outstanding
    }
}
