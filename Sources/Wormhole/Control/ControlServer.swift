import Logging
import Synchronization
import WatchLink

/// Lets other programs of this user speak to a running one, over its control socket in a directory of sockets:
/// `tapline wormhole` speaks through the endpoint of a program so.
///
/// An end is one endpoint, whatever number of programs speak through it: the endpoint has the link, its store, and the identity
/// that peers know.
public final class ControlServer: Sendable {
    /// Performs a request. `ControlExchange` ends the replies.
    package typealias Service = @Sendable (ControlCommand, ControlExchange) async throws(WormholeError) -> Void

    /// The most connections at a time. Of more, the oldest is ended: a program that connects and waits takes no descriptor from
    /// the peers.
    package static let mostConnections = 64
    /// The most further requests of a program that are not dealt with yet. One that sends more is disconnected.
    private static let mostUnread = 256

    private let listener: any TransportListener
    private let clock: any LinkClock
    private let logger: Logger
    private let service: Service
    /// The connections that have not ended, by their numbers, which grow.
    private let open = Mutex<[Int: any DatagramTransport]>([:])

    /// Serves an endpoint.
    ///
    /// - Parameters:
    ///   - inbox: the store of the endpoint that keeps what arrives, which the programs take; nil if the endpoint's own program
    ///     applies it.
    ///   - directory: gets the socket, `phone.control` or `watch.control`.
    /// - Throws: `.alreadyServed` if another endpoint of this role has it; `.system`; `.pathTooLong`.
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

    /// Ends every connection, and removes the socket.
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
        // A program that has left already may have announced a change.
        try? await connection.send(encoding: ControlReply.serving)
        guard let request = try? await connection.receive(ControlCommand.self) else {
            // Its request may be on its way. Told that nothing comes of it, the program asks the next one that has the socket.
            if Task.isCancelled {
                try? await connection.send(encoding: ControlReply.failed(.closed))
            }
            return
        }
        // One that has given up is not told what came of another request, so nothing comes of it.
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
            // What the program begins ends with its connection.
            while let next = try? await connection.receive(ControlCommand.self) {
                guard case .enqueued = continuation.yield(next) else { break }
            }
            continuation.finish()
            group.cancelAll()
        }
    }
}

extension WormholeError {
    /// A command that the program of a control socket does not serve, or not as the first one.
    package static let notServed = WormholeError.coding(.malformed("this program does not serve that command"))
}
