import ArgumentParser
import BluetoothBridge
import CommandSupport
import Foundation
import HostSystem
import Logging
import SystemPackage
import WatchLink
import Wormhole

/// What the endpoint says of a command that failed.
struct EndpointFailure: Error, Equatable, CustomStringConvertible {
    let error: WormholeError

    var description: String { error.description }

    /// A peer may come later.
    var isUnreachable: Bool {
        if case .unreachable = error { return true }
        return error == .unknownPeer
    }

    /// The program that has the endpoint has left, or the endpoint has ended: a command is cancelled by either.
    var isLeaving: Bool { error == .closed || error == .cancelled }

    /// The statuses of sysexits.h: 69 if the peer is out of reach, 75 if there was no answer in time, else 1.
    var status: ExitCode {
        if isUnreachable { return ExitCode(EX_UNAVAILABLE) }
        if case .noAnswer = error { return .late }
        return error == .noReply ? .late : .failure
    }
}

extension ExitCode {
    /// Something has not happened yet: EX_TEMPFAIL of sysexits.h.
    static let late = ExitCode(EX_TEMPFAIL)
}

extension ControlChannel {
    /// The next reply before the last. Each command looks at those that are for it, and leaves the others: another version may send
    /// more.
    ///
    /// - Returns: nil if the last one says that the command is done.
    /// - Throws: `EndpointFailure` if it says that the command has failed; `.closed` if the program at the other end has left.
    func next() async throws -> ControlReply? {
        let reply = try await receive()
        if case .failed(let error) = reply { throw EndpointFailure(error: error) }
        if case .done = reply { return nil }
        return reply
    }

    /// The next reply of a command that goes on until this program leaves.
    ///
    /// - Throws: as `next`, and `.closed` if the other end is done with it.
    func nextOfMany() async throws -> ControlReply {
        guard let reply = try await next() else { throw WormholeError.closed }
        return reply
    }
}

/// The endpoint of an end, which another program has open, or this one.
struct EndpointClient {
    /// What a command needs of the endpoint.
    enum Use {
        /// The store alone.
        case store
        /// The peers too.
        case link
    }

    private enum Host {
        /// Another program, which this channel was opened to: the first command takes it.
        case other(WaitableState<ControlChannel?>)
        case local(LocalEndpoint)
    }

    private let options: SideOptions
    private let use: Use
    private let host: Host

    /// Connects to the program that has the endpoint open, or opens it here.
    init(_ options: SideOptions, _ use: Use) async throws {
        self.options = options
        self.use = use
        try StoreFile.checkPath(options.databasePath)
        var attempts = 0
        while true {
            do {
                host = .other(WaitableState(try await EndpointClient.connect(options)))
                return
            } catch  where EndpointClient.hasLeft(error) {
                // No program has it, or the one that had it has just ended.
            }
            do {
                host = .local(try await LocalEndpoint(options, use))
                return
            } catch WormholeError.alreadyServed(let path, let process) {
                // A program that opens the endpoint just now serves it in a moment; one that ends gives it free.
                attempts += 1
                guard attempts < 40 else { throw EndpointClient.notServed(path, process) }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private static func connect(_ options: SideOptions) async throws -> ControlChannel {
        do throws(WormholeError) {
            return try await ControlChannel(
                to: .endpoint(options.side.role), in: SocketDirectory(path: options.sockets))
        } catch .notAnswering(let path, let process) {
            throw CommandFailure(WormholeError.notAnswering(path: path, process: process).description, status: .late)
        }
    }

    private static func notServed(_ path: String, _ process: Int32?) -> CommandFailure {
        let holder = process.map { "process \($0)" } ?? "another program"
        return CommandFailure(
            "\(path) is in use by \(holder), which shares it with nobody: end it, or name other --sockets and --database"
        )
    }

    /// Begins a command.
    func begin(_ request: ControlCommand) async throws -> ControlChannel {
        switch host {
        case .other(let unused):
            let first = unused.change { channel in
                defer { channel = nil }
                return channel
            }
            let channel = if let first { first } else { try await EndpointClient.connect(options) }
            try await channel.send(request)
            return channel
        case .local(let endpoint): return try await endpoint.begin(request)
        }
    }

    /// Performs a command, and calls `body` for each reply before the last. If the program that has the endpoint leaves before it is
    /// done, a command that may be repeated is done by the program that has the endpoint next. Then `body` may be told a state again
    /// of what is followed; any other reply it is told once all of them are there.
    ///
    /// - Throws: `EndpointFailure` if the endpoint says that it failed; `.closed` if its program left.
    func perform(_ request: ControlCommand, _ body: (ControlReply) async throws -> Void = { _ in }) async throws {
        do {
            try await performOnce(request, body)
        } catch  where request.mayBeRepeated && EndpointClient.hasLeft(error) && !Task.isCancelled {
            try await EndpointClient.again(options, use) { try await $0.performOnce(request, body) }
        }
    }

    private func performOnce(
        _ request: ControlCommand, _ body: (ControlReply) async throws -> Void
    ) async throws {
        let channel = try await begin(request)
        defer { channel.close() }
        var replies: [ControlReply] = []
        while let reply = try await channel.next() {
            if request.isBrief { replies.append(reply) } else { try await body(reply) }
        }
        for reply in replies { try await body(reply) }
    }

    /// Whether the program that has the endpoint has left, and has done nothing of what it was asked.
    static func hasLeft(_ error: any Error) -> Bool {
        if let failure = error as? EndpointFailure { return failure.isLeaving }
        guard let error = error as? WormholeError else { return false }
        if case .nobodyListening = error { return true }
        return error == .closed
    }

    /// Runs a command with an endpoint, and again whenever its program leaves before the command is done.
    static func again<Value>(
        _ options: SideOptions, _ use: Use, _ body: (EndpointClient) async throws -> Value
    ) async throws -> Value {
        while true {
            do { return try await with(options, use, body) } catch  where hasLeft(error) && !Task.isCancelled {
                continue
            }
        }
    }

    /// Runs a command with an endpoint, and leaves that whatever comes of it.
    static func with<Value>(
        _ options: SideOptions, _ use: Use, _ body: (EndpointClient) async throws -> Value
    ) async throws -> Value {
        let client = try await EndpointClient(options, use)
        do {
            let value = try await body(client)
            await client.leave()
            return value
        } catch {
            await client.leave()
            throw error
        }
    }

    private func leave() async {
        switch host {
        case .other(let unused): unused.value?.close()
        case .local(let endpoint): await endpoint.close()
        }
    }
}

/// An endpoint that this program opens because no other has it open. With links, other programs share it while this one runs;
/// a command that needs the store alone is done before one could.
private struct LocalEndpoint {
    /// The most messages that wait in the inbox until a program listens.
    private static let mostKept = 1_024
    /// How long this program stays for the brief commands of others.
    private static let patience = DurationChoice(milliseconds: 2_000)

    private let wormhole: Wormhole
    private let store: MessageStore
    private let control: EndpointControl
    private let links: Links?
    /// The commands of this program that have not ended.
    private let commands = WaitableState(0)
    /// The brief ones of other programs.
    private let visitors = WaitableState(0)

    /// The links of the endpoint, which are begun once, and the server of its control socket.
    private actor Links {
        private enum State {
            case waiting
            case begun
            /// Phones find this machine, until the publication ends.
            case published(WatchPublication)
        }

        private let watch: ShellWatch?
        private let server: ControlServer
        private let serving: Task<Void, Never>
        private var state = State.waiting

        /// - Parameter watch: what phones find; nil if they find nothing.
        init(_ watch: ShellWatch?, _ server: ControlServer) {
            self.watch = watch
            self.server = server
            serving = Task { await server.serve() }
        }

        func begin(_ wormhole: Wormhole) async throws {
            guard case .waiting = state else { return }
            state = .begun
            try await wormhole.start()
            if let watch { state = .published(try await watch.publish()) }
        }

        func end() async {
            server.close()
            await serving.value
            // A phone that hears the goodbye finds nothing to come back to.
            guard case .published(let publication) = state else { return }
            state = .begun
            await publication.end()
        }
    }

    /// - Throws: `.alreadyServed` if another program was faster, or has the socket or the store without sharing it.
    init(_ options: SideOptions, _ use: EndpointClient.Use) async throws {
        let directory = try SocketDirectory(path: options.sockets)
        let path = options.databasePath
        try LocalEndpoint.createDirectory(of: path)
        store = try MessageStore(path: path, keeping: LocalEndpoint.mostKept)
        let logger = Logger(standardErrorOf: "tapline.wormhole", .warning)
        var configuration = WormholeConfiguration(role: options.side.role)
        let name = options.shownName ?? ProcessInfo.processInfo.hostName
        configuration.name = String(decoding: name.utf8.prefix(MessageName.longest), as: UTF8.self)
        do {
            let (source, watch) = try await LocalEndpoint.source(
                options, directory, use, named: configuration.name, logger)
            wormhole = Wormhole(source, store: store, configuration: configuration, logger: logger)
            control = EndpointControl(wormhole, inbox: store)
            switch use {
            case .store: links = nil
            case .link:
                let listener = try ControlSocket.endpoint(options.side.role).listener(in: directory)
                let server = ControlServer(listener, logger: logger) {
                    [control, visitors] request, exchange throws(WormholeError) in
                    guard request.isBrief else { return try await control.perform(request, exchange) }
                    visitors.change { $0 += 1 }
                    defer { visitors.change { $0 -= 1 } }
                    try await control.perform(request, exchange)
                }
                links = Links(watch, server)
            }
        } catch {
            store.close()
            throw error
        }
    }

    func begin(_ request: ControlCommand) async throws -> ControlChannel {
        // What this program receives or answers is registered before there is a link: a peer in reach sends a file, or asks, as soon as
        // there is one, and would be told that no program is there.
        guard request.beginsWithReady else {
            try await links?.begin(wormhole)
            return perform(request)
        }
        let channel = perform(request)
        do {
            while try await channel.nextOfMany() != .ready {}
            try await links?.begin(wormhole)
        } catch {
            channel.close()
            throw error
        }
        return channel
    }

    private func perform(_ request: ControlCommand) -> ControlChannel {
        commands.change { $0 += 1 }
        return ControlChannel(performing: request) { [control, commands] request, exchange throws(WormholeError) in
            defer { commands.change { $0 -= 1 } }
            try await control.perform(request, exchange)
        }
    }

    /// Ends the links with a goodbye. What was passed stays in the store, and another program may open it.
    func close() async {
        await commands.waitEvenIfCancelled { $0 == 0 }
        // Another program would have to ask its question again. A command that is interrupted leaves at once.
        _ = try? await Limited.run(LocalEndpoint.patience) { [visitors] in await visitors.wait { $0 == 0 ? true : nil }
        }
        await links?.end()
        await wormhole.close()
        store.close()
    }

    /// Where the endpoint finds its peers, and what phones find over Bluetooth; nil if this is a phone, or a watch over sockets, or
    /// needs no link.
    private static func source(
        _ options: SideOptions, _ directory: SocketDirectory, _ use: EndpointClient.Use, named name: String,
        _ logger: Logger
    ) async throws -> (ChannelSource, ShellWatch?) {
        let socket = directory.path(of: "watch.sock")
        switch (options.side, use, options.link) {
        case (.watch, .link, .bluetooth(let adapter)?):
            let watch = try await ShellWatch(
                adapter: adapter, name: name, opening: options.pairing ? .always : .whereNew, control: BlueZControl())
            return (.listens(watch.phones), watch)
        case (.watch, .link, .unix?), (.watch, .link, nil), (.watch, .store, _), (.phone, .store, _):
            return (.connects(UnixConnector(path: socket)), nil)
        case (.phone, .link, _):
            let sockets = try UnixListener("watch.sock", in: directory)
            let others = try await options.link?.bondedWatches(logger) ?? []
            return (.listens(others.isEmpty ? sockets : MergedListener([sockets] + others)), nil)
        }
    }

    private static func createDirectory(of path: String) throws {
        let directory = FilePath(path).removingLastComponent().string
        guard !directory.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("cannot create the directory \(directory) of the messages")
        }
    }
}
