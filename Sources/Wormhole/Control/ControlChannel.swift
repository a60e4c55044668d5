import Foundation
import WatchLink

/// The control socket of a running program. Other programs of the same user send commands over it.
package enum ControlSocket: Hashable, Sendable {
    case endpoint(LinkRole)
    case simulatedWatch(process: Int32)

    /// The maximum size of a request or a reply, in bytes. A message of 64 KiB and its metadata fit.
    package static let largestDatagram = 128 << 10

    package var name: String {
        switch self {
        case .endpoint(.phone): "phone.control"
        case .endpoint(.watch): "watch.control"
        case .simulatedWatch(let process): "watch-\(process).control"
        }
    }

    package func path(in directory: SocketDirectory) -> String { directory.path(of: name) }

    package func listener(in directory: SocketDirectory) throws(WormholeError) -> UnixListener {
        try UnixListener(name, in: directory, largestDatagram: ControlSocket.largestDatagram)
    }

    /// Returns the process IDs of the simulated watches that have a socket in `directory`, in ascending order. A killed
    /// watch leaves its socket, so its process ID may be among them.
    package static func simulatedWatches(in directory: SocketDirectory) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.compactMap { name in
            let process = name.split(separator: "-").last?.split(separator: ".").first.flatMap { Int32($0) }
            return process.flatMap { name == ControlSocket.simulatedWatch(process: $0).name ? $0 : nil }
        }.sorted()
    }
}

package struct ControlChannel: Sendable {
    private enum Connection {
        case socket(any DatagramTransport)
        case local(AsyncStream<ControlCommand>.Continuation, AsyncStream<ControlReply>, Task<Void, Never>)
    }

    private let connection: Connection

    /// Connects, and waits until the program sends `serving`. Without this wait, a program that is stopped (SIGSTOP) could
    /// later perform a command that its sender no longer waits for.
    /// - Throws: `.noListener` if no program serves the socket; `.notAnswering` if the program is stopped, or sends nothing
    ///   for a minute; `.closed` if it ends before it sends `serving`; `.coding` if it has another version; and the other
    ///   errors of `UnixConnector.connect`.
    package init(to socket: ControlSocket, in directory: SocketDirectory) async throws(WormholeError) {
        let path = socket.path(in: directory)
        let transport = try await UnixConnector(path: path, largestDatagram: ControlSocket.largestDatagram).connect()
        connection = .socket(transport)
        let process: Int32? = if case .process(_, let number) = transport.peer { number } else { nil }
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

    /// Starts a command in this process. `receive()` returns its replies, as if the command had been sent over a socket.
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

    package func close() {
        switch connection {
        case .socket(let transport): transport.close()
        case .local(let requests, _, let task):
            requests.finish()
            task.cancel()
        }
    }
}

/// The exchange for a command in progress. It receives the sender's later commands, and sends the replies.
package struct ControlExchange: Sendable {
    package let further: AsyncStream<ControlCommand>
    /// Sends a reply to the command's sender. Throws if the sender has disconnected.
    package let reply: @Sendable (ControlReply) async throws(WormholeError) -> Void

    func perform(_ request: ControlCommand, by service: ControlServer.Service) async {
        do throws(WormholeError) {
            try await service(request, self)
            try await reply(.done)
        } catch {
            try? await reply(.failed(error))
        }
    }

    /// Sends `form(element)` as a reply for each element; nothing if `form` returns nil. Returns early if a reply fails.
    func reply<Element: Sendable>(
        with elements: AsyncStream<Element>, _ form: (Element) -> ControlReply?
    ) async {
        for await element in elements {
            guard let next = form(element) else { continue }
            guard (try? await reply(next)) != nil else { return }
        }
    }
}

extension DatagramTransport {
    func send(encoding value: some Encodable) async throws(WormholeError) {
        try await send(try MessageEncoder(largestSize: ControlSocket.largestDatagram).encode(value))
    }

    func receive<Value: Decodable>(_ type: Value.Type) async throws(WormholeError) -> Value {
        try MessageDecoder().decode(type, from: try await receive())
    }
}

/// How long a caller waits for a program's first reply: a minute for a busy program, two seconds for a stopped one.
private enum HandshakeTimeout {
    private static let interval = Microseconds.seconds(1)
    /// After this number of checks in a row that find the program stopped, the caller gives up. One such check is not enough,
    /// because a debugger may stop the program for a moment.
    private static let mostStops = 2
    /// After this number of checks, the caller gives up on a program that runs but does not reply.
    private static let mostChecks = 60

    /// Returns true once the process was found stopped `mostStops` times in a row, or after a minute. Returns false if the
    /// task is cancelled first, for example because the process has replied.
    static func expires(_ process: Int32?) async -> Bool {
        let clock = SystemClock()
        var stops = 0
        for _ in 0..<mostChecks where stops < mostStops {
            guard (try? await clock.sleep(until: clock.now + interval)) != nil else { return false }
            stops = process.map(isStopped) == true ? stops + 1 : 0
        }
        return true
    }

    /// Whether a signal or a debugger has stopped the process: its state is T or t. In /proc/PID/stat the state follows the
    /// name in parentheses (proc(5)).
    private static func isStopped(_ process: Int32) -> Bool {
        let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        guard let name = stat.lastIndex(of: UInt8(ascii: ")")), name + 2 < stat.endIndex else { return false }
        return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(stat[name + 2])
    }
}

/// A command over a control socket. Each command needs a new connection. Only `taken`, `answered` and `run` may follow another
/// command on the same connection. If the sender closes the connection, the command ends.
///
/// Each payload is one CBOR data item, and so is the metadata of a file. Timeouts are in milliseconds.
///
/// An endpoint serves the commands about messages, files and peers. A phone's host also serves `changing`. A simulated watch
/// serves only `run`. A program replies `failed` to a command that it does not serve.
package enum ControlCommand: Codable, Hashable, Sendable {
    package enum OutstandingNumber: Codable, Hashable, Sendable {
        case message(MessageNumber)
        case file(UInt64)
    }

    /// Passes a message, or a notification if the payload is nil. The replies are `passed`, then every `fate` of each
    /// recipient's copy, from `queued` to the final one.
    ///
    /// The recipient is a peer's identity, a prefix of the identity, or the peer's name; nil for all peers. An interactive
    /// message or a notification waits up to the timeout for a reachable peer. A queued or complication message waits up to
    /// the timeout for a first peer, but only if none has ever connected.
    case pass(
        MessageName, payload: [UInt8]?, delivery: Delivery, recipient: String? = nil, timeout: UInt32 = 0)
    /// Sends a file. The replies are a `file`, then a `progress` or a `fate` at each change, up to the final fate. The path
    /// is absolute, because the endpoint may have another working directory. If the recipient is nil, a phone waits up to
    /// the timeout for a reachable watch.
    case send(
        path: String, label: String, recipient: String? = nil, metadata: [UInt8]? = nil, timeout: UInt32)
    case followFile(UInt64)
    /// Receives at most `atMost` files into a directory; any number if nil. The replies are `ready`, then `progress` for
    /// each arriving file, and `received` once the file is complete.
    case receive(directory: String, atMost: Int?)
    /// Reads how many complication messages may still go to each peer today. The replies are a `budget` for each known peer.
    case budget
    /// Reads the newest value of a name, or of every name if nil. The replies are a `value` for each name that has a value.
    case read(MessageName?)
    /// Clears the value of a name; nil clears the values of all names that are not reserved.
    case clear(MessageName?)
    case listen(NamePattern)
    /// Follows `listen` on its connection. Removes the message with this number from the inbox. The reply is `taken`.
    case taken(UInt64)
    /// Asks a question; the reply is a `value`. The recipient is a peer's identity, a prefix of the identity, or the peer's
    /// name; nil for the only reachable peer. The timeout applies twice: to the wait for the peer, and from then on to the
    /// wait for its answer.
    case ask(MessageName, payload: [UInt8], recipient: String? = nil, timeout: UInt32)
    /// Offers to answer the questions under a name. The replies are `ready`, then an `asked` for each question. The
    /// command's sender answers each question with `answered`.
    case answer(MessageName)
    /// Follows `answer` on its connection. Answers the question to which `asked` gave this number. A nil answer means that
    /// answering failed.
    case answered(UInt64, [UInt8]?)
    /// Lists what has no final fate. The replies are an `outstanding` for each queued message, and a `file` for each
    /// outgoing file.
    case outstanding
    /// Reports the fate of a message or file. If `isFollowed`, the replies are every `fate` so far and every later `fate`, up
    /// to the final one. Otherwise the reply is the present `fate`. For a file, the first reply is a `file`.
    case fate(OutstandingNumber, isFollowed: Bool)
    case cancel(OutstandingNumber)
    /// The replies are a `peer` for each known peer.
    case peers
    /// Announces that the sender will change the phone's database. The phone reads the database again when this connection
    /// ends, even if the sender crashes.
    case changing
    /// Runs a script on a simulated watch. The reply is a `ran`. The sender may then send another `run` on the same
    /// connection. Relative paths in the script begin in `directory`. Errors show `name`.
    case run(script: String, name: String, directory: String)

    package var beginsWithReady: Bool {
        switch self {
        case .receive, .answer: true
        case .pass, .send, .followFile, .budget, .read, .clear, .listen, .taken, .ask, .answered, .outstanding, .fate,
            .cancel, .peers, .changing, .run:
            false
        }
    }

    /// Whether the command ends soon, by itself or at its sender's time limit. Other commands may run for any time.
    package var isBrief: Bool {
        switch self {
        case .pass, .budget, .read, .clear, .ask, .outstanding, .fate(_, isFollowed: false), .cancel, .peers: true
        case .send, .followFile, .receive, .listen, .taken, .answer, .answered, .fate(_, isFollowed: true), .changing,
            .run:
            false
        }
    }

    /// Whether a sender may safely send the command again if the serving program ended before the command's last reply.
    package var mayBeRepeated: Bool {
        switch self {
        case .read, .clear, .outstanding, .fate, .cancel, .peers, .budget, .followFile: true
        case .pass, .send, .receive, .listen, .taken, .ask, .answer, .answered, .changing, .run: false
        }
    }
}

/// A reply of the program that serves a control socket. The program sends `serving` as soon as a sender has connected. The last
/// reply to a command is `done` or `failed`.
package enum ControlReply: Codable, Hashable, Sendable {
    case serving
    /// The reply to `pass`, with a copy for each recipient. There are no copies for a notification, or for a latest value
    /// (`Delivery.latest`) if no peer has ever connected.
    case passed([Copy])
    case fate(Copy, MessageFate)
    case value(MessageName, [UInt8])
    /// If the inbox keeps the message until `taken`, `kept` is the message's number there. Otherwise `kept` is nil.
    case heard(HeardMessage, kept: UInt64?)
    case taken(UInt64)
    case asked(UInt64, [UInt8])
    /// The endpoint has begun to receive files, or to pass on questions.
    case ready
    case outstanding(OutstandingMessage)
    case file(TransferRecord)
    case progress(FileProgress)
    case received(ReceivedFile)
    case budget(PeerIdentity, left: Int)
    case peer(Peer)
    /// `json` is the script's result as one line. `isDone` is true if every line of the script succeeded.
    case ran(json: String, isDone: Bool)
    case done
    case failed(WormholeError)

    package struct Copy: Codable, Hashable, Sendable {
        /// The recipient; nil in the replies to a `fate` command about a message.
        package let peer: PeerIdentity?
        package let number: UInt64?
    }

    package struct Peer: Codable, Hashable, Sendable {
        package let identity: PeerIdentity
        /// The name in the peer's hello; empty if the peer is unreachable or has no name.
        package let name: String
        package let isReachable: Bool
        /// Why the peer is unreachable; "it answers" if it is reachable.
        package let evidence: String
    }
}

package enum NamePattern: Hashable, Sendable, Codable {
    case name(MessageName)
    /// Every name that begins with this text, which may be empty.
    case prefix(String)

    /// - Parameter text: a name, or a prefix followed by an asterisk.
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
