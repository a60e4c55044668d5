import Logging
import Synchronization
import WatchLink

/// Serves a control socket, over which other programs of the same user send commands to this program. All these programs share
/// this program's endpoint: its links, its store and the identity that peers know.
public final class ControlServer: Sendable {
    package typealias Service = @Sendable (ControlCommand, ControlExchange) async throws(WormholeError) -> Void

    /// The maximum number of open connections. A further connection closes the oldest, so that idle programs do not use up the
    /// file descriptors that peers need.
    package static let mostConnections = 64
    /// The maximum number of commands that wait on one connection behind its first command. If a program sends more, the
    /// server disconnects it.
    private static let mostUnread = 256

    private let listener: any TransportListener
    private let clock: any LinkClock
    private let logger: Logger
    private let service: Service
    private let open = Mutex<[Int: any DatagramTransport]>([:])

    /// Makes a server and its socket in `directory`. The socket is called `phone.control` or `watch.control`, by the endpoint's
    /// role. Programs are served once `serve()` runs.
    ///
    /// - Parameter inbox: the endpoint's store, if other programs take messages from its inbox. Nil if this program applies
    ///   the messages itself.
    /// - Throws: `.alreadyServed` if another endpoint of this role serves the socket; `.system`; `.pathTooLong`.
    public convenience init(
        _ endpoint: Wormhole, inbox: MessageStore? = nil, in directory: SocketDirectory,
        logger: Logger = Logger(label: "tapline.control")
    ) throws(WormholeError) {
        self.init(
            try ControlSocket.endpoint(endpoint.configuration.role).listener(in: directory), clock: endpoint.clock,
            logger: logger, service: EndpointControl(endpoint, inbox: inbox).perform)
    }

    package init(
        _ listener: any TransportListener, clock: any LinkClock = SystemClock(),
        logger: Logger = Logger(label: "tapline.control"), service: @escaping Service
    ) {
        self.listener = listener
        self.clock = clock
        self.logger = logger
        self.service = service
    }

    /// Serves until `close()`, or until the task is cancelled.
    public func serve() async {
        await withDiscardingTaskGroup { group in
            var count = 0
            await listener.acceptEach(clock) { [logger] error in
                logger.warning("a program could not connect: \(error)")
            } accepted: { connection, _ in
                count += 1
                enter(connection, count)
                group.addTask { [count] in
                    await self.serve(connection)
                    connection.close()
                    self.open.withLock { $0[count] = nil }
                }
            }
            group.cancelAll()
        }
    }

    /// Closes every connection and removes the socket.
    public func close() { listener.close() }

    private func enter(_ connection: any DatagramTransport, _ number: Int) {
        let oldest: (any DatagramTransport)? = open.withLock { open in
            open[number] = connection
            guard open.count > ControlServer.mostConnections else { return nil }
            return open.keys.min().flatMap { open.removeValue(forKey: $0) }
        }
        oldest?.close()
    }

    private func serve(_ connection: any DatagramTransport) async {
        // Continues after a failure, because a program that has left may still have announced a change of the database.
        try? await connection.send(encoding: ControlReply.serving)
        guard let request = try? await connection.receive(ControlCommand.self) else {
            // This server is closing. The program's request may be in transit: after this reply, the program asks the
            // next server of the socket.
            if Task.isCancelled {
                try? await connection.send(encoding: ControlReply.failed(.closed))
            }
            return
        }
        // A program that has hung up cannot receive the result, so its request is dropped.
        if request != .changing, (connection as? SocketTransport)?.isHungUp == true { return }
        let (further, continuation) = AsyncStream.makeStream(
            of: ControlCommand.self, bufferingPolicy: .bufferingOldest(ControlServer.mostUnread))
        let exchange = ControlExchange(further: further) { reply throws(WormholeError) in
            try await connection.send(encoding: reply)
        }
        await withDiscardingTaskGroup { group in
            group.addTask { [service] in
                await exchange.perform(request, by: service)
                connection.close()
            }
            // The end of the connection ends the command.
            while let next = try? await connection.receive(ControlCommand.self) {
                guard case .enqueued = continuation.yield(next) else { break }
            }
            continuation.finish()
            group.cancelAll()
        }
    }
}

extension WormholeError {
    /// The error for a command that this program does not serve, or that must follow another command.
    package static let notServed = WormholeError.coding(.malformed("this program does not serve that command"))
}
