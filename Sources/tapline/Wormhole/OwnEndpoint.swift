import Foundation
import HostSystem
import Logging
import Synchronization
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
    private let use: Use
    private let links = Links()

    /// Whether the links of the endpoint were begun.
    private final class Links: Sendable {
        private enum State {
            case waiting
            case begun
        }

        private let state = Mutex(State.waiting)

        /// Returns whether they are to be begun, which they then are.
        func begin() -> Bool {
            state.withLock { state in
                switch state {
                case .begun: return false
                case .waiting:
                    state = .begun
                    return true
                }
            }
        }
    }

    /// - Throws: `.alreadyServed` where another program was faster, or has the socket without sharing it.
    init(_ options: SideOptions, _ use: Use) async throws {
        let directory = try SocketDirectory(path: options.sockets)
        let path = options.databasePath
        try OwnEndpoint.createDirectory(of: path)
        store = try MessageStore(path: path, keeping: OwnEndpoint.mostKept)
        let logger = Logger(standardErrorOf: "tapline.wormhole", .warning)
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
        self.use = use
    }

    /// Begins the links, where they are needed. What a program of this process receives or answers is registered before: a peer in
    /// reach sends a file, or asks, as soon as there is a link, and would be told that nobody is there.
    func connect() async throws {
        switch use {
        case .store: break
        case .link: if links.begin() { try await wormhole.start() }
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
            let others = try await options.link?.bondedWatches(logger) ?? []
            return .listens(others.isEmpty ? sockets : MergedListener([sockets] + others))
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

}
