import ArgumentParser
import BluetoothBridge
import CommandSupport
import Foundation
import HostSystem
import Logging
import SystemPackage
import WatchLink
import Wormhole

/// The endpoint's error for a failed command.
struct EndpointFailure: Error, Equatable, CustomStringConvertible {
    let error: WormholeError

    var description: String { error.description }

    /// Whether the command may succeed later, when a peer connects.
    var isUnreachable: Bool {
        if case .unreachable = error { return true }
        return error == .unknownPeer
    }

    /// Whether the program that has the endpoint left, or the endpoint ended. Either cancels a command.
    var isLeaving: Bool { error == .closed || error == .cancelled }

    /// The exit status, as in sysexits.h: 69 if the peer is out of reach, 75 if there was no answer in time, else 1.
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
    /// The next reply before the last one. Each command handles its own replies and ignores others, because another version may
    /// send more.
    ///
    /// - Returns: nil if the last reply says that the command is done.
    /// - Throws: `EndpointFailure` if it says that the command failed; `.closed` if the program at the other end left.
    func next() async throws -> ControlReply? {
        let reply = try await receive()
        if case .failed(let error) = reply { throw EndpointFailure(error: error) }
        if case .done = reply { return nil }
        return reply
    }

    /// The next reply of a command that runs until this program ends.
    ///
    /// - Throws: the errors of `next`; `.closed` if the other end is done with the command.
    func nextOfMany() async throws -> ControlReply {
        guard let reply = try await next() else { throw WormholeError.closed }
        return reply
    }
}

/// A command's access to an endpoint, which another program or this one has open.
struct EndpointClient {
    /// The parts of the endpoint that a command needs.
    enum Use {
        /// Only the store.
        case store
        /// The store and the peers.
        case link
    }

    private enum Host {
        /// Another program, with a channel to it. The first command takes the channel.
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
                // No program has the endpoint, or the one that had it has just ended.
            }
            do {
                host = .local(try await LocalEndpoint(options, use))
                return
            } catch WormholeError.alreadyServed(let path, let process) {
                // If a program is opening the endpoint, it soon serves it. If a program is ending, it soon releases it.
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
            "\(path) is in use by \(holder), which does not share it: end it, or name other --sockets and --database"
        )
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

    /// Performs a command, and calls `body` for each reply before the last.
    ///
    /// If the program that has the endpoint leaves too early, and the command may be repeated, the next such program performs it
    /// again. `body` may then get a followed state twice. It gets other replies only when all of them have arrived.
    ///
    /// - Throws: `EndpointFailure` if the endpoint says that the command failed; `.closed` if its program left.
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

    /// Whether the error means that the program with the endpoint ended before it began the command.
    static func hasLeft(_ error: any Error) -> Bool {
        if let failure = error as? EndpointFailure { return failure.isLeaving }
        guard let error = error as? WormholeError else { return false }
        if case .noListener = error { return true }
        return error == .closed
    }

    /// Runs a command with an endpoint, and again each time its program leaves too early.
    static func again<Value>(
        _ options: SideOptions, _ use: Use, _ body: (EndpointClient) async throws -> Value
    ) async throws -> Value {
        while true {
            do { return try await with(options, use, body) } catch  where hasLeft(error) && !Task.isCancelled {
                continue
            }
        }
    }

    /// Runs a command with an endpoint, and always releases the endpoint at the end.
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

/// An endpoint that this program opens because no other has it open. With links, other programs share it while this one runs. A
/// command that needs only the store ends before another program could share it.
private struct LocalEndpoint {
    /// The most messages that wait in the inbox for a listening program.
    private static let mostKept = 1_024
    /// How long this program stays for the brief commands of other programs.
    private static let timeout = DurationChoice(milliseconds: 2_000)

    private let wormhole: Wormhole
    private let store: MessageStore
    private let control: EndpointControl
    private let links: Links?
    /// The number of this program's commands that have not ended.
    private let commands = WaitableState(0)
    /// The number of brief commands of other programs.
    private let visitors = WaitableState(0)

    /// The links of the endpoint, which begin once, and the server of its control socket.
    private actor Links {
        private enum State {
            case waiting
            case begun
            /// Phones find this machine until the publication ends.
            case published(WatchPublication)
        }

        private let watch: ShellWatch?
        private let server: ControlServer
        private let serving: Task<Void, Never>
        private var state = State.waiting

        /// - Parameter watch: the watch that phones find, nil if there is none.
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
            // After the goodbye, a phone must not find a watch to connect to again.
            guard case .published(let publication) = state else { return }
            state = .begun
            await publication.end()
        }
    }

    /// - Throws: `.alreadyServed` if another program opened it first, or has the socket or the store and does not share it.
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
        // Receivers and answers are registered before there is a link. A peer in reach sends a file or a question as soon as
        // there is one, and would be told that there is no program for it.
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

    /// Ends the links with a goodbye. Passed messages stay in the store, and another program may open it.
    func close() async {
        await commands.waitEvenIfCancelled { $0 == 0 }
        // Otherwise another program would have to ask again. An interrupted command leaves at once.
        _ = try? await Limited.run(LocalEndpoint.timeout) { [visitors] in await visitors.wait { $0 == 0 ? true : nil }
        }
        await links?.end()
        await wormhole.close()
        store.close()
    }

    /// The source of the endpoint's peers, and the watch that phones find over Bluetooth. The watch is nil for a phone, a watch
    /// over sockets, and a command without a link.
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
