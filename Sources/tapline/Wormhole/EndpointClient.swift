import ArgumentParser
import BluetoothBridge
import CommandSupport
import Foundation
import HostSystem
import Logging
import SystemPackage
import WatchLink
import Wormhole

/// The error with which an endpoint ended a command. An endpoint is the phone's or a watch's end of a link, with its
/// message store.
struct EndpointFailure: Error, Equatable, CustomStringConvertible {
    let error: WormholeError

    var description: String { error.description }

    /// Whether the command may succeed when a peer connects later.
    var isUnreachable: Bool {
        if case .unreachable = error { return true }
        return error == .unknownPeer
    }

    /// Whether the endpoint, or the program that has it open, has ended.
    var isLeaving: Bool { error == .closed || error == .cancelled }

    /// The exit status, from sysexits.h: 69 if no peer can be reached, 75 if the peer gave no answer, otherwise 1.
    var status: ExitCode {
        if isUnreachable { return ExitCode(EX_UNAVAILABLE) }
        if case .noAnswer = error { return .late }
        return error == .noReply ? .late : .failure
    }
}

extension ExitCode {
    /// The status 75 (EX_TEMPFAIL in sysexits.h): there is no result yet.
    static let late = ExitCode(EX_TEMPFAIL)
}

extension ControlChannel {
    /// Receives the next reply. A program of another version may send unexpected replies, which callers ignore.
    ///
    /// - Returns: nil if the last reply has arrived and the command is done.
    /// - Throws: `EndpointFailure` if the command failed; otherwise the errors of `receive()`, such as `.closed` if the
    ///   program that has the endpoint open has ended.
    func next() async throws -> ControlReply? {
        let reply = try await receive()
        if case .failed(let error) = reply { throw EndpointFailure(error: error) }
        if case .done = reply { return nil }
        return reply
    }

    /// Receives the next reply to a command that ends only when this program closes the channel. Throws the errors of
    /// `next()`, and `.closed` if the endpoint says that the command is done.
    func nextOfMany() async throws -> ControlReply {
        guard let reply = try await next() else { throw WormholeError.closed }
        return reply
    }
}

/// A command's access to an endpoint. If another program has the endpoint open, the client connects to that program.
/// Otherwise the client opens the endpoint itself.
struct EndpointClient {
    enum Use {
        case store
        case link
    }

    private enum Host {
        /// Another program has the endpoint open, and this client has a channel to it. A channel serves one command. The
        /// first command takes this channel and leaves nil; each further command connects anew.
        case other(WaitableState<ControlChannel?>)
        case local(LocalEndpoint)
    }

    private let options: SideOptions
    private let use: Use
    private let host: Host

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
                // No program has the endpoint open, or the program that had it open has just ended.
            }
            do {
                host = .local(try await LocalEndpoint(options, use))
                return
            } catch WormholeError.alreadyServed(let path, let process) {
                // Another program is opening or closing the endpoint, so this tries again soon.
                attempts += 1
                guard attempts < 40 else {
                    let holder = process.map { "process \($0)" } ?? "another program"
                    throw CommandFailure(
                        "\(path) is in use by \(holder), which does not share it: end it, or name other --sockets and "
                            + "--database")
                }
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

    /// Performs a command, and calls `body` with each reply except the last, which is `done` or `failed`.
    ///
    /// The program that has the endpoint open may end before the last reply. If the command may be repeated
    /// (`ControlCommand.mayBeRepeated`), a new client then performs the command again. If the command is brief
    /// (`ControlCommand.isBrief`), `body` is called only after all replies have arrived. Otherwise `body` may get a reply
    /// twice.
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

    static func hasLeft(_ error: any Error) -> Bool {
        if let failure = error as? EndpointFailure { return failure.isLeaving }
        guard let error = error as? WormholeError else { return false }
        if case .noListener = error { return true }
        return error == .closed
    }

    /// Calls `body` with a client. If `body` fails because the program that has the endpoint open has ended, calls `body`
    /// again with a new client.
    static func again<Value>(
        _ options: SideOptions, _ use: Use, _ body: (EndpointClient) async throws -> Value
    ) async throws -> Value {
        while true {
            do { return try await with(options, use, body) } catch  where hasLeft(error) && !Task.isCancelled {
                continue
            }
        }
    }

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

    /// Makes a client for one command, and performs the command.
    static func perform(
        _ request: ControlCommand, at options: SideOptions, _ use: Use = .store,
        _ body: (ControlReply) async throws -> Void = { _ in }
    ) async throws {
        try await with(options, use) { try await $0.perform(request, body) }
    }

    private func leave() async {
        switch host {
        case .other(let unused): unused.value?.close()
        case .local(let endpoint): await endpoint.close()
        }
    }
}

/// An endpoint that this program has opened. With `Use.link` the endpoint has links to peers, and other programs can share the
/// endpoint while this program runs. With `Use.store` the endpoint has no links and is not shared.
private struct LocalEndpoint {
    private static let mostKeptMessages = 1_024
    /// The maximum time that this program waits for commands of other programs before it closes the endpoint.
    private static let patience = DurationChoice(milliseconds: 2_000)

    private let wormhole: Wormhole
    private let store: MessageStore
    private let control: EndpointControl
    private let links: Links?
    private let runningCommands = WaitableState(0)
    /// The number of brief commands (`ControlCommand.isBrief`) that the endpoint is performing for other programs.
    private let visitors = WaitableState(0)

    private actor Links {
        private enum State {
            case waiting
            case begun
            /// Phones can discover this machine as a Bluetooth watch until the publication ends.
            case published(WatchPublication)
        }

        private let watch: ShellWatch?
        private let server: ControlServer
        private let serving: Task<Void, Never>
        private var state = State.waiting

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
            // Phones must not discover the watch after the endpoint has said goodbye, which it does next.
            guard case .published(let publication) = state else { return }
            state = .begun
            await publication.end()
        }
    }

    /// Throws `.alreadyServed` if another program has the endpoint open, or uses the endpoint's socket or store without
    /// sharing the endpoint.
    init(_ options: SideOptions, _ use: EndpointClient.Use) async throws {
        let directory = try SocketDirectory(path: options.sockets)
        let path = options.databasePath
        try LocalEndpoint.createDirectory(of: path)
        store = try MessageStore(path: path, keeping: LocalEndpoint.mostKeptMessages)
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
        // The command must register as a receiver before there is a link. A peer that is near sends a file or a question as
        // soon as it connects, and would be told that no program takes it.
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
        runningCommands.change { $0 += 1 }
        return ControlChannel(performing: request) {
            [control, runningCommands] request, exchange throws(WormholeError) in
            defer { runningCommands.change { $0 -= 1 } }
            try await control.perform(request, exchange)
        }
    }

    /// Waits for the commands of this program, and briefly for the commands of other programs. Then says goodbye to the peers,
    /// and closes the store.
    func close() async {
        await runningCommands.waitEvenIfCancelled { $0 == 0 }
        // Waits for the commands of other programs, which would otherwise have to start again. An interrupted command does not
        // wait.
        _ = try? await limited(to: LocalEndpoint.patience) { [visitors] in await visitors.wait { $0 == 0 ? true : nil }
        }
        await links?.end()
        await wormhole.close()
        store.close()
    }

    /// Returns where the endpoint gets its channels: from sockets, from Bluetooth, or, for a phone, from both. The
    /// `ShellWatch` is nil unless the endpoint is a watch that links by Bluetooth.
    private static func source(
        _ options: SideOptions, _ directory: SocketDirectory, _ use: EndpointClient.Use, named name: String,
        _ logger: Logger
    ) async throws -> (ChannelSource, ShellWatch?) {
        let socket = directory.path(of: "watch.sock")
        switch (options.side, use, options.link) {
        case (.watch, .link, .bluetooth(let adapter)?):
            let watch = try await ShellWatch(
                adapter: adapter, name: name, letsPhonesPair: options.pairing, control: BlueZControl())
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
