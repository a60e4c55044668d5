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

/// What a program asks of a running one over its control socket. A connection is one command: what it begins ends with it.
///
/// A program serves the requests that it can: an endpoint those about messages and files, a phone's host also changes of its
/// database, and a simulated watch scripts. Any other fails.
package enum ControlCommand: Codable, Hashable, Sendable {
    /// The number of something that has not arrived yet.
    package enum OutstandingNumber: Codable, Hashable, Sendable {
        case message(MessageNumber)
        case file(UInt64)
    }

    /// A message to pass. The replies are `passed` and then a `fate` for each step of each copy.
    ///
    /// The payload is one CBOR data item; nil for a notification. The recipient is the identity of a peer, its beginning, or its name; nil
    /// for everyone. The patience, in milliseconds, is how long a queued message waits for the first peer, if none is known yet, and
    /// a message that is not stored for a peer that can be reached.
    case pass(
        MessageName, payload: [UInt8]?, delivery: Delivery, recipient: String? = nil, patience: UInt32 = 0)
    /// A file to send. The replies are a `file`, then a `progress` whenever that changes, and a `fate` for each step.
    ///
    /// The path begins at the root, because the endpoint may have another working directory. The metadata is one CBOR data item; nil for
    /// nothing. The patience is how long to wait for the peer, if none is named.
    case send(
        path: String, label: String, recipient: String? = nil, metadata: [UInt8]? = nil, patience: UInt32)
    /// A file that is on its way, by its number. The replies are those of `send`.
    case followFile(UInt64)
    /// Files are received into a directory, at most this number; nil for any. The replies are `ready`, `progress` of those that
    /// arrive, and `received`.
    case receive(directory: String, atMost: Int?)
    /// How many complication messages are left today: a `budget` for each peer.
    case budget
    /// A `value` for the name, if it has one; for nil, one for each name that has.
    case read(MessageName?)
    /// Nil for every name.
    case clear(MessageName?)
    /// The replies are `heard`.
    case listen(NamePattern)
    /// Follows `listen`: a message of the inbox has been dealt with. The reply is a `taken`.
    case taken(UInt64)
    /// A question. The reply is a `value`. The recipient is as of a message; nil for the only peer. The patience is for the peer, and
    /// again for its answer.
    case ask(MessageName, payload: [UInt8], recipient: String? = nil, patience: UInt32)
    /// The replies are `ready`, and `asked`, each of which wants an `answered`.
    case answer(MessageName)
    /// Follows `answer`: the answer to a question, one CBOR data item; nil if there is none.
    case answered(UInt64, [UInt8]?)
    /// An `outstanding` for each message, and a `file` for each file.
    case outstanding
    /// The replies are a `file` of a file, and a `fate`: the present one, or each until the final one.
    case fate(OutstandingNumber, isFollowed: Bool)
    case cancel(OutstandingNumber)
    /// A `peer` for each.
    case peers
    /// The database of a phone's host is about to be changed. The host reads it again when this connection ends, whether or not the
    /// program lives to say so.
    case changing
    /// Lines of the script language for a simulated watch. The reply is a `ran`, and further scripts may follow over the same connection.
    /// The names of files in the script begin in the directory; the name of the script is for errors.
    case run(script: String, name: String, directory: String)

    /// Whether the first reply is `ready`.
    package var beginsWithReady: Bool {
        switch self {
        case .receive, .answer: true
        case .pass, .send, .followFile, .budget, .read, .clear, .listen, .taken, .ask, .answered, .outstanding, .fate,
            .cancel, .peers, .changing, .run:
            false
        }
    }

    /// Whether it is done at once, or within the time that its program gives it. Any other replies with each step as it comes.
    package var isBrief: Bool {
        switch self {
        case .pass, .budget, .read, .clear, .ask, .outstanding, .fate(_, isFollowed: false), .cancel, .peers: true
        case .send, .followFile, .receive, .listen, .taken, .answer, .answered, .fate(_, isFollowed: true), .changing,
            .run:
            false
        }
    }

    /// Whether doing it again changes nothing, if the program left before it was done.
    package var mayBeRepeated: Bool {
        switch self {
        case .read, .clear, .outstanding, .fate, .cancel, .peers, .budget, .followFile: true
        case .pass, .send, .receive, .listen, .taken, .ask, .answer, .answered, .changing, .run: false
        }
    }
}

/// What a program replies. The last one is `done` or `failed`.
package enum ControlReply: Codable, Hashable, Sendable {
    /// The program at the other end is there: the first reply of each connection, before any request.
    case serving
    /// A message was passed: its copies, none for a value that waits for its first peer, and for a notification.
    case passed([Copy])
    case fate(Copy, MessageFate)
    /// One CBOR data item.
    case value(MessageName, [UInt8])
    /// What was passed or cleared under a name, with its number if it is in the inbox until `taken`.
    case heard(HeardMessage, kept: UInt64?)
    /// The message of the inbox with this number is out of it: a program that leaves now is not given it again.
    case taken(UInt64)
    /// A question, one CBOR data item, with a number.
    case asked(UInt64, [UInt8])
    /// From now on the program is given the files that it receives, or the questions that it answers.
    case ready
    case outstanding(OutstandingMessage)
    /// A file that is on its way to a peer.
    case file(TransferRecord)
    case progress(FileProgress)
    case received(ReceivedFile)
    case budget(PeerIdentity, left: Int)
    case peer(Peer)
    /// A script has ended: what came of it as one line of JSON, and whether every line of it was done.
    case ran(json: String, isDone: Bool)
    case done
    case failed(WormholeError)

    package struct Copy: Codable, Hashable, Sendable {
        /// The recipient; nil for a message that was asked about by its number.
        package let peer: PeerIdentity?
        /// The number of a queued message or of a file.
        package let number: UInt64?
    }

    package struct Peer: Codable, Hashable, Sendable {
        package let identity: PeerIdentity
        /// The name in its hello; empty for one that is away.
        package let name: String
        package let isReachable: Bool
        /// How that is known, as the end of a line.
        package let evidence: String
    }
}

/// The names that a program listens to: one, or all that begin alike.
package enum NamePattern: Hashable, Sendable, Codable {
    case name(MessageName)
    /// The empty one for every name.
    case prefix(String)

    /// A name, or the beginning of names with an asterisk behind it.
    ///
    /// - Throws: `.invalidName` for what is neither.
    package init(_ text: String) throws(WormholeError) {
        if text.hasSuffix("*") {
            let prefix = String(text.dropLast())
            guard prefix.utf8.count <= MessageName.longest else { throw .invalidName(text) }
            self = .prefix(prefix)
        } else {
            self = .name(try MessageName(text))
        }
    }

    package func matches(_ name: MessageName) -> Bool {
        switch self {
        case .name(let one): name == one
        case .prefix(let prefix): name.hasPrefix(prefix)
        }
    }
}
