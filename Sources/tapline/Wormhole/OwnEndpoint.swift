import BluetoothBridge
import Foundation
import HostSystem
import Logging
import SystemPackage
import WatchLink
import Wormhole

/// An endpoint that this program opens because no other has that side open. Other programs share it while this one runs.
struct OwnEndpoint {
    /// What the command needs of it.
    enum Use {
        /// The store alone.
        case store
        /// The peers too.
        case link
    }

    /// The most messages that wait in the inbox until somebody listens.
    private static let mostKept = 1_024

    private let wormhole: Wormhole
    private let store: MessageStore
    private let sharing: EndpointSharing
    private let serving: Task<Void, Never>

    /// - Throws: `.alreadyServed` where another program was faster, or has the socket without sharing it.
    init(_ options: SideOptions, _ use: Use) async throws {
        let directory = try SocketDirectory(path: options.sockets)
        let path = options.databasePath
        try OwnEndpoint.createDirectory(of: path)
        store = try MessageStore(path: path, keeping: OwnEndpoint.mostKept)
        let logger = OwnEndpoint.logger
        var configuration = WormholeConfiguration(role: options.side.role, name: ProcessInfo.processInfo.hostName)
        configuration.name = String(decoding: configuration.name.utf8.prefix(MessageName.longest), as: UTF8.self)
        do {
            let source = try await OwnEndpoint.source(options, directory, use, logger)
            wormhole = Wormhole(source, store: store, configuration: configuration, logger: logger)
            sharing = try EndpointSharing(wormhole, inbox: store, in: directory, logger: logger)
        } catch {
            await store.close()
            throw error
        }
        serving = Task { [sharing] in await sharing.serve() }
        switch use {
        case .store: break
        case .link: try await wormhole.start()
        }
    }

    /// Ends the links with a goodbye. What was passed stays in the store, and another program may open it.
    func close() async {
        sharing.close()
        await serving.value
        await wormhole.close()
        await store.close()
    }

    private static func source(
        _ options: SideOptions, _ directory: SocketDirectory, _ use: Use, _ logger: Logger
    ) async throws -> ChannelSource {
        let path = directory.path(of: "watch.sock")
        switch (options.side, use) {
        case (.watch, _), (.phone, .store): return .connects(UnixConnector(path: path))
        case (.phone, .link):
            let sockets = try UnixListener("watch.sock", in: directory)
            guard case .bluetooth(let adapter) = options.link else { return .listens(sockets) }
            let control = try BlueZControl()
            _ = try await control.adapter(named: adapter)
            let memory = WatchMemory(path: Places.usual.watches)
            return .listens(
                MergedListener([sockets, BondedWatches(control, adapter: adapter, memory: memory, logger: logger)]))
        }
    }

    private static func createDirectory(of path: String) throws {
        let directory = FilePath(path).removingLastComponent().string
        guard !directory.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw WormholeFailure.text("cannot create the directory \(directory) of the messages")
        }
    }

    /// Warnings and errors of the links, for the standard error.
    private static var logger: Logger {
        Logger(label: "tapline.wormhole") { label in
            var handler = StreamLogHandler(label: label, stream: LogOutput(STDERR_FILENO))
            handler.logLevel = .warning
            return handler
        }
    }
}
