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
    private let use: Use
    private let links: Links

    /// The links of the endpoint, which are begun once.
    private actor Links {
        private enum State {
            case waiting
            case begun
            /// Phones find this machine, until the publication ends.
            case published(WatchPublication)
        }

        private let watch: ShellWatch?
        private var state = State.waiting

        /// - Parameter watch: what phones find; nil where they find nothing.
        init(_ watch: ShellWatch?) { self.watch = watch }

        func begin(_ wormhole: Wormhole) async throws {
            guard case .waiting = state else { return }
            state = .begun
            try await wormhole.start()
            if let watch { state = .published(try await watch.publish()) }
        }

        func end() async {
            guard case .published(let publication) = state else { return }
            state = .begun
            await publication.end()
        }
    }

    /// - Throws: `.alreadyServed` where another program was faster, or has the socket without sharing it.
    init(_ options: SideOptions, _ use: Use) async throws {
        let directory = try SocketDirectory(path: options.sockets)
        let path = options.databasePath
        try OwnEndpoint.createDirectory(of: path)
        store = try MessageStore(path: path, keeping: OwnEndpoint.mostKept)
        let logger = Logger(standardErrorOf: "tapline.wormhole", .warning)
        var configuration = WormholeConfiguration(role: options.side.role)
        let name = options.shownName ?? ProcessInfo.processInfo.hostName
        configuration.name = String(decoding: name.utf8.prefix(MessageName.longest), as: UTF8.self)
        do {
            let watch = try await OwnEndpoint.watch(options, use, named: configuration.name)
            let source =
                if let watch {
                    ChannelSource.listens(watch.phones)
                } else {
                    try await OwnEndpoint.source(options, directory, use, logger)
                }
            links = Links(watch)
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
        case .link: try await links.begin(wormhole)
        }
    }

    /// Ends the links with a goodbye. What was passed stays in the store, and another program may open it.
    func close() async {
        sharing.close()
        await serving.value
        // A phone that hears the goodbye finds nothing to come back to.
        await links.end()
        await wormhole.close()
        await store.close()
    }

    /// What phones find over Bluetooth; nil where this is a phone, or a watch over sockets, or needs no link.
    private static func watch(
        _ options: SideOptions, _ use: Use, named name: String
    ) async throws -> ShellWatch? {
        guard case (.watch, .link, .bluetooth(let adapter)?) = (options.side, use, options.link) else { return nil }
        return try await ShellWatch(
            adapter: adapter, name: name, opening: options.pairing ? .always : .whereNew, control: BlueZControl())
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
