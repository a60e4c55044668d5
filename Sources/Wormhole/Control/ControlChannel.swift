import Foundation
import WatchLink

/// The control socket of a running program, by which other programs of its user speak to it: one for each program, in a directory of
/// sockets.
package enum ControlSocket: Hashable, Sendable {
    /// Of the program that has the endpoint of this role open: `phone.control`, `watch.control`.
    case endpoint(LinkRole)
    /// Of the simulated watch in this process: `watch-PROCESS.control`.
    case simulatedWatch(process: Int32)

    /// The most bytes of one request or reply: a message of 64 KiB and what is said about it.
    package static let largestDatagram = 128 << 10

    package var name: String {
        switch self {
        case .endpoint(.phone): "phone.control"
        case .endpoint(.watch): "watch.control"
        case .simulatedWatch(let process): "watch-\(process).control"
        }
    }

    package func path(in directory: SocketDirectory) -> String { directory.path(of: name) }

    /// Serves the socket.
    ///
    /// - Throws: as `UnixListener`.
    package func listener(in directory: SocketDirectory) throws(WormholeError) -> UnixListener {
        try UnixListener(name, in: directory, largestDatagram: ControlSocket.largestDatagram)
    }

    /// The processes of simulated watches that have a socket in a directory, in order. A watch that was killed has left one.
    package static func simulatedWatches(in directory: SocketDirectory) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.compactMap { name in
            let process = name.split(separator: "-").last?.split(separator: ".").first.flatMap { Int32($0) }
            return process.flatMap { name == ControlSocket.simulatedWatch(process: $0).name ? $0 : nil }
        }.sorted()
    }
}

/// A command and its replies: over the control socket of the program that serves it, or within this process.
package struct ControlChannel: Sendable {
    private enum Way {
        case socket(any DatagramTransport)
        case local(AsyncStream<ControlCommand>.Continuation, AsyncStream<ControlReply>, Task<Void, Never>)
    }

    private let way: Way

    /// Connects to a program. Nothing is asked of it before it has said that it is there: a program that is stopped would do later
    /// what its asker has given up.
    ///
    /// - Throws: `.nobodyListening` if there is none; `.notAnswering` if it is stopped; `.closed` if it has just ended; as
    ///   `UnixConnector.connect`.
    package init(to socket: ControlSocket, in directory: SocketDirectory) async throws(WormholeError) {
        let path = socket.path(in: directory)
        let transport = try await UnixConnector(path: path, largestDatagram: ControlSocket.largestDatagram).connect()
        way = .socket(transport)
        let process = transport.peer.process
        let timeout = Task {
            guard await HandshakeTimeout.expires(process) else { return false }
            transport.close()
            return true
        }
        defer { timeout.cancel() }
        do throws(WormholeError) {
            guard case .serving = try await receive() else {
                throw .coding(.malformed("a program of another version"))
            }
        } catch {
            transport.close()
            timeout.cancel()
            guard error == .closed, await timeout.value else { throw error }
            throw .notAnswering(path: path, process: process)
        }
    }

    /// Performs a command in this process, as another program would have it performed over a socket.
    package init(performing request: ControlCommand, by service: @escaping ControlServer.Service) {
        let (further, requests) = AsyncStream.makeStream(of: ControlCommand.self)
        let (replies, reply) = AsyncStream.makeStream(of: ControlReply.self)
        let exchange = ControlExchange(further: further) { reply.yield($0) }
        let task = Task {
            await exchange.perform(request, by: service)
            reply.finish()
        }
        way = .local(requests, replies, task)
    }

    package func send(_ request: ControlCommand) async throws(WormholeError) {
        switch way {
        case .socket(let transport): try await transport.send(encoding: request)
        case .local(let requests, _, _): requests.yield(request)
        }
    }

    /// - Throws: `.closed` once the program has gone, or the task is cancelled; `.coding` for what another version may say.
    package func receive() async throws(WormholeError) -> ControlReply {
        switch way {
        case .socket(let transport): return try await transport.receive(ControlReply.self)
        case .local(_, let replies, _):
            var iterator = replies.makeAsyncIterator()
            guard let reply = await iterator.next() else { throw .closed }
            return reply
        }
    }

    /// Ends what the command has begun.
    package func close() {
        switch way {
        case .socket(let transport): transport.close()
        case .local(let requests, _, let task):
            requests.finish()
            task.cancel()
        }
    }
}

/// A command as the program sees it that performs it.
package struct ControlExchange: Sendable {
    /// The requests after the first one, until the other program leaves.
    package let further: AsyncStream<ControlCommand>
    /// Throws once the other program has left.
    package let reply: @Sendable (ControlReply) async throws(WormholeError) -> Void

    package init(
        further: AsyncStream<ControlCommand>,
        reply: @escaping @Sendable (ControlReply) async throws(WormholeError) -> Void
    ) {
        self.further = further
        self.reply = reply
    }

    /// Performs the command, and replies with how it ended.
    func perform(_ request: ControlCommand, by service: ControlServer.Service) async {
        do throws(WormholeError) {
            try await service(request, self)
            try await reply(.done)
        } catch {
            try? await reply(.failed(error))
        }
    }

    /// Replies once for each element.
    func reply<Element: Sendable>(
        with elements: AsyncStream<Element>, _ form: (Element) -> ControlReply?
    ) async {
        for await element in elements {
            guard let next = form(element) else { continue }
            guard (try? await reply(next)) != nil else { return }
        }
    }
}

/// The framing: a datagram is a request or a reply, in CBOR.
extension DatagramTransport {
    func send(encoding value: some Encodable) async throws(WormholeError) {
        try await send(try MessageEncoder(largestSize: ControlSocket.largestDatagram).encode(value))
    }

    func receive<Value: Decodable>(_ type: Value.Type) async throws(WormholeError) -> Value {
        try MessageDecoder().decode(type, from: try await receive())
    }
}

/// How long a program waits for another to say that it is there: as long as that may only be busy.
private enum HandshakeTimeout {
    /// Between two looks at a program that has not said that it is there.
    private static let interval = Microseconds.seconds(1)
    /// How many looks in a row find it stopped: a debugger may stop it for a moment.
    private static let mostStops = 2
    /// A program that runs and says nothing for this many looks serves no control socket.
    private static let mostLooks = 60

    /// Returns true once the program is stopped, or has said nothing for a minute; false if the task is cancelled before.
    ///
    /// - Parameter process: the program's; nil if the system does not say it.
    static func expires(_ process: Int32?) async -> Bool {
        let clock = SystemClock()
        var stops = 0
        for _ in 0..<mostLooks where stops < mostStops {
            guard (try? await clock.sleep(until: clock.now + interval)) != nil else { return false }
            stops = process.map(isStopped) == true ? stops + 1 : 0
        }
        return true
    }

    /// Whether a process is stopped by a signal, or by a debugger: the third field of /proc/PID/stat, behind the name in parentheses
    /// (proc(5)).
    private static func isStopped(_ process: Int32) -> Bool {
        let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        guard let name = stat.lastIndex(of: UInt8(ascii: ")")), name + 2 < stat.endIndex else { return false }
        return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(stat[name + 2])
    }
}
