import Foundation
import WatchLink

/// The control socket of a running program, in a directory of sockets. Other programs of the same user send it commands.
package enum ControlSocket: Hashable, Sendable {
    /// The program with the endpoint of this role: `phone.control` or `watch.control`.
    case endpoint(LinkRole)
    /// The simulated watch in the process with this ID: `watch-ID.control`.
    case simulatedWatch(process: Int32)

    /// The most bytes of one request or reply: enough for a message of 64 KiB with its metadata.
    package static let largestDatagram = 128 << 10

    package var name: String {
        switch self {
        case .endpoint(.phone): "phone.control"
        case .endpoint(.watch): "watch.control"
        case .simulatedWatch(let process): "watch-\(process).control"
        }
    }

    package func path(in directory: SocketDirectory) -> String { directory.path(of: name) }

    /// - Throws: the errors of `UnixListener`.
    package func listener(in directory: SocketDirectory) throws(WormholeError) -> UnixListener {
        try UnixListener(name, in: directory, largestDatagram: ControlSocket.largestDatagram)
    }

    /// The process IDs of simulated watches with a socket in a directory, in order. A killed watch leaves its socket behind.
    package static func simulatedWatches(in directory: SocketDirectory) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.compactMap { name in
            let process = name.split(separator: "-").last?.split(separator: ".").first.flatMap { Int32($0) }
            return process.flatMap { name == ControlSocket.simulatedWatch(process: $0).name ? $0 : nil }
        }.sorted()
    }
}

/// A connection for one command and its replies, over a control socket or within this process.
package struct ControlChannel: Sendable {
    private enum Connection {
        case socket(any DatagramTransport)
        case local(AsyncStream<ControlCommand>.Continuation, AsyncStream<ControlReply>, Task<Void, Never>)
    }

    private let connection: Connection

    /// Connects to a program, and waits until it reports `serving`. Without this wait, a stopped program could later
    /// perform a command that the caller has given up.
    ///
    /// - Throws: `.noListener` if no program serves the socket; `.notAnswering` if it is stopped; `.closed` if it has just
    ///   ended; and the errors of `UnixConnector.connect`.
    package init(to socket: ControlSocket, in directory: SocketDirectory) async throws(WormholeError) {
        let path = socket.path(in: directory)
        let transport = try await UnixConnector(path: path, largestDatagram: ControlSocket.largestDatagram).connect()
        connection = .socket(transport)
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

    /// Performs a command in this process, as if it came over a socket.
    package init(performing request: ControlCommand, by service: @escaping ControlServer.Service) {
        let (further, requests) = AsyncStream.makeStream(of: ControlCommand.self)
        let (replies, reply) = AsyncStream.makeStream(of: ControlReply.self)
        let exchange = ControlExchange(further: further) { reply.yield($0) }
        let task = Task {
            await exchange.perform(request, by: service)
            reply.finish()
        }
        connection = .local(requests, replies, task)
    }

    package func send(_ request: ControlCommand) async throws(WormholeError) {
        switch connection {
        case .socket(let transport): try await transport.send(encoding: request)
        case .local(let requests, _, _): requests.yield(request)
        }
    }

    /// - Throws: `.closed` if the program has gone or the task is cancelled; `.coding` if the reply is malformed.
    package func receive() async throws(WormholeError) -> ControlReply {
        switch connection {
        case .socket(let transport): return try await transport.receive(ControlReply.self)
        case .local(_, let replies, _):
            var iterator = replies.makeAsyncIterator()
            guard let reply = await iterator.next() else { throw .closed }
            return reply
        }
    }

    /// Closes the channel, which ends the command.
    package func close() {
        switch connection {
        case .socket(let transport): transport.close()
        case .local(let requests, _, let task):
            requests.finish()
            task.cancel()
        }
    }
}

/// A command in progress, for the program that performs it.
package struct ControlExchange: Sendable {
    /// The requests after the first one, until the other program disconnects.
    package let further: AsyncStream<ControlCommand>
    /// Throws once the other program has disconnected.
    package let reply: @Sendable (ControlReply) async throws(WormholeError) -> Void

    /// Performs the command, then replies with `done` or `failed`.
    func perform(_ request: ControlCommand, by service: ControlServer.Service) async {
        do throws(WormholeError) {
            try await service(request, self)
            try await reply(.done)
        } catch {
            try? await reply(.failed(error))
        }
    }

    /// Sends the reply `form(element)` for each element, unless that is nil.
    func reply<Element: Sendable>(
        with elements: AsyncStream<Element>, _ form: (Element) -> ControlReply?
    ) async {
        for await element in elements {
            guard let next = form(element) else { continue }
            guard (try? await reply(next)) != nil else { return }
        }
    }
}

/// One datagram holds one request or reply in CBOR.
extension DatagramTransport {
    func send(encoding value: some Encodable) async throws(WormholeError) {
        try await send(try MessageEncoder(largestSize: ControlSocket.largestDatagram).encode(value))
    }

    func receive<Value: Decodable>(_ type: Value.Type) async throws(WormholeError) -> Value {
        try MessageDecoder().decode(type, from: try await receive())
    }
}

/// How long a caller waits for a program's first reply. A program that is only busy gets a minute.
private enum HandshakeTimeout {
    /// The time between two checks of a silent program.
    private static let interval = Microseconds.seconds(1)
    /// The number of checks in a row that must find the program stopped, because a debugger may stop it for a moment.
    private static let mostStops = 2
    /// The number of checks after which a running but silent program counts as serving no control socket.
    private static let mostLooks = 60

    /// Returns true once the program is stopped, or has been silent for a minute; false if the task is cancelled first.
    ///
    /// - Parameter process: the program's process ID; nil if it is not known.
    static func expires(_ process: Int32?) async -> Bool {
        let clock = SystemClock()
        var stops = 0
        for _ in 0..<mostLooks where stops < mostStops {
            guard (try? await clock.sleep(until: clock.now + interval)) != nil else { return false }
            stops = process.map(isStopped) == true ? stops + 1 : 0
        }
        return true
    }

    /// Whether a signal or a debugger has stopped a process. The state follows the name in parentheses in /proc/PID/stat
    /// (proc(5)).
    private static func isStopped(_ process: Int32) -> Bool {
        let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        guard let name = stat.lastIndex(of: UInt8(ascii: ")")), name + 2 < stat.endIndex else { return false }
        return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(stat[name + 2])
    }
}

/// A command for a running program over its control socket. Each connection carries one command. The end of the connection ends
/// the command.
///
/// An endpoint serves commands about messages and files. A phone's host also serves changes of its database, and a simulated
/// watch serves scripts. Other commands fail.
package enum ControlCommand: Codable, Hashable, Sendable {
    /// The number of a message or file that has not arrived yet.
    package enum OutstandingNumber: Codable, Hashable, Sendable {
        case message(MessageNumber)
        case file(UInt64)
    }

    /// Passes a message. The replies are `passed`, then a `fate` for each state that a recipient's copy reaches.
    ///
    /// The payload is one CBOR data item; nil for a notification, which has no value. The recipient is a peer's identity, a
    /// prefix of the identity, or the peer's name; nil for all peers. The timeout is in milliseconds. An interactive message or a
    /// notification waits at most that long for a reachable peer. A queued message waits only if no peer has ever connected.
    case pass(
        MessageName, payload: [UInt8]?, delivery: Delivery, recipient: String? = nil, timeout: UInt32 = 0)
    /// Sends a file. The replies are a `file`, a `progress` for each change, and a `fate` for each state that the file reaches.
    ///
    /// The path is absolute, because the endpoint may have another working directory. The metadata is one CBOR data item; nil
    /// for none. If the recipient is nil, the timeout is the longest wait for a reachable peer, in milliseconds.
    case send(
        path: String, label: String, recipient: String? = nil, metadata: [UInt8]? = nil, timeout: UInt32)
    /// Follows a file in transfer, by its number. The replies are those of `send`.
    case followFile(UInt64)
    /// Receives at most this number of files into a directory; nil for no limit. The replies are `ready`, then `progress` and
    /// `received`.
    case receive(directory: String, atMost: Int?)
    /// Asks how many complication messages are left today. The replies are a `budget` for each peer.
    case budget
    /// Reads the value of a name; nil reads every name. Each value is a `value` reply.
    case read(MessageName?)
    /// Clears a name; nil clears every name.
    case clear(MessageName?)
    /// Listens to the messages under these names. Each is a `heard` reply.
    case listen(NamePattern)
    /// After `listen`: removes the message with this number from the inbox. The reply is `taken`.
    case taken(UInt64)
    /// Asks a question. The reply is a `value`. The recipient is as in `pass`; nil for the only reachable peer. The timeout, in
    /// milliseconds, limits the wait for the peer, and then again the wait for its answer.
    case ask(MessageName, payload: [UInt8], recipient: String? = nil, timeout: UInt32)
    /// Answers questions under a name. The replies are `ready`, then an `asked` for each question. The program answers each
    /// with `answered`.
    case answer(MessageName)
    /// After `answer`: the answer to the question with this number, as one CBOR data item; nil if answering failed.
    case answered(UInt64, [UInt8]?)
    /// Lists the messages and files that have not arrived yet. Each message is an `outstanding` reply, each file a `file`
    /// reply.
    case outstanding
    /// Reports the fate of a message or file. The replies are a `file` if it is a file, then its present `fate`, or every
    /// `fate` up to the final one.
    case fate(OutstandingNumber, isFollowed: Bool)
    case cancel(OutstandingNumber)
    /// Lists the peers. The replies are a `peer` for each.
    case peers
    /// Announces that a program changes the database of the phone. The phone reads the database again when this connection
    /// ends, even if the program crashes.
    case changing
    /// Runs a script in a simulated watch. The reply is a `ran`, and further scripts may follow. File names in the script are
    /// relative to the directory; the script's name is for errors.
    case run(script: String, name: String, directory: String)

    /// Whether the command's first reply is `ready`.
    package var beginsWithReady: Bool {
        switch self {
        case .receive, .answer: true
        case .pass, .send, .followFile, .budget, .read, .clear, .listen, .taken, .ask, .answered, .outstanding, .fate,
            .cancel, .peers, .changing, .run:
            false
        }
    }

    /// Whether the command ends at once or within its timeout. Other commands reply to each event as it happens.
    package var isBrief: Bool {
        switch self {
        case .pass, .budget, .read, .clear, .ask, .outstanding, .fate(_, isFollowed: false), .cancel, .peers: true
        case .send, .followFile, .receive, .listen, .taken, .answer, .answered, .fate(_, isFollowed: true), .changing,
            .run:
            false
        }
    }

    /// Whether the command is safe to repeat if the program left before the end.
    package var mayBeRepeated: Bool {
        switch self {
        case .read, .clear, .outstanding, .fate, .cancel, .peers, .budget, .followFile: true
        case .pass, .send, .receive, .listen, .taken, .ask, .answer, .answered, .changing, .run: false
        }
    }
}

/// A reply of a program. The last one of a command is `done` or `failed`.
package enum ControlReply: Codable, Hashable, Sendable {
    /// The first reply of each connection, before any request: the program is running.
    case serving
    /// A message was passed, with a copy for each recipient. The list is empty for a notification, and for a value that waits
    /// for its first peer.
    case passed([Copy])
    case fate(Copy, MessageFate)
    /// The payload is one CBOR data item.
    case value(MessageName, [UInt8])
    /// A message for a listening program. `kept` is its number if it stays in the inbox until `taken`, else nil.
    case heard(HeardMessage, kept: UInt64?)
    /// The message with this number has left the inbox, and will not be delivered again.
    case taken(UInt64)
    /// A question: its number, and its payload as one CBOR data item.
    case asked(UInt64, [UInt8])
    /// The program now receives files or answers questions.
    case ready
    case outstanding(OutstandingMessage)
    case file(TransferRecord)
    case progress(FileProgress)
    case received(ReceivedFile)
    case budget(PeerIdentity, left: Int)
    case peer(Peer)
    /// The script has ended: its result as one line of JSON, and whether all its lines were performed.
    case ran(json: String, isDone: Bool)
    case done
    case failed(WormholeError)

    package struct Copy: Codable, Hashable, Sendable {
        /// The recipient; nil in a reply to `fate` for a message number.
        package let peer: PeerIdentity?
        /// The number of a queued message or of a file.
        package let number: UInt64?
    }

    package struct Peer: Codable, Hashable, Sendable {
        package let identity: PeerIdentity
        /// The name in the peer's hello; empty if the peer is unreachable.
        package let name: String
        package let isReachable: Bool
        /// The end of a printed line: why the peer is unreachable, or "it answers".
        package let evidence: String
    }
}

/// The names that a program listens to: one name, or all with a prefix.
package enum NamePattern: Hashable, Sendable, Codable {
    case name(MessageName)
    /// An empty prefix matches every name.
    case prefix(String)

    /// - Parameter text: a name, or a prefix followed by an asterisk.
    /// - Throws: `.invalidName` if it is neither.
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
