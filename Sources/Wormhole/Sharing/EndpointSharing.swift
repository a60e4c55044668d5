import Logging
import WatchLink

/// Lets other programs of this user use an endpoint, over a socket in a directory of sockets: `tapline wormhole` is one.
///
/// A side is one endpoint, whatever number of programs speak through it: the endpoint has the link, its store, and the identity
/// that peers know.
public final class EndpointSharing: Sendable {
    /// The most bytes of one request or reply: a message of 64 KiB and what is said about it.
    static let largestDatagram = 128 << 10

    private let endpoint: Wormhole
    private let inbox: SharedInbox?
    private let listener: any TransportListener
    private let logger: Logger

    /// Serves the control socket of an endpoint's side in a directory.
    ///
    /// - Parameters:
    ///   - inbox: the store of the endpoint where it keeps what arrives, which the programs take; nil where the endpoint's own
    ///     program applies it.
    ///   - directory: where the socket is, `phone.control` or `watch.control`.
    /// - Throws: `.alreadyServed` where another endpoint of this side has it; `.system`; `.pathTooLong`.
    public convenience init(
        _ endpoint: Wormhole, inbox: MessageStore? = nil, in directory: SocketDirectory,
        logger: Logger = Logger(label: "tapline.control")
    ) throws(WormholeError) {
        let listener = try EndpointSharing.listener(for: endpoint.configuration.role, in: directory)
        self.init(endpoint, inbox: inbox, listener: listener, logger: logger)
    }

    package init(
        _ endpoint: Wormhole, inbox: (MessageStore)? = nil, listener: any TransportListener, logger: Logger
    ) {
        self.endpoint = endpoint
        self.inbox = inbox.map { SharedInbox($0, of: endpoint) }
        self.listener = listener
        self.logger = logger
    }

    /// The control socket of a side, for an endpoint that is made later.
    package static func listener(
        for role: LinkRole, in directory: SocketDirectory
    ) throws(WormholeError) -> UnixListener {
        try UnixListener(socketName(of: role), in: directory, largestDatagram: largestDatagram)
    }

    /// The name of the control socket of a side.
    package static func socketName(of role: LinkRole) -> String {
        switch role {
        case .phone: "phone.control"
        case .watch: "watch.control"
        }
    }

    /// Serves until `close()`, or until the task is cancelled.
    public func serve() async {
        await withDiscardingTaskGroup { group in
            group.addTask { [inbox] in await inbox?.follow() }
            var trouble = AcceptTrouble()
            while true {
                do throws(WormholeError) {
                    let channel = SharedChannel(try await listener.accept())
                    _ = trouble.succeeded()
                    let command = SharedCommand(channel, endpoint, inbox)
                    group.addTask { await command.run() }
                } catch {
                    if error == .closed { break }
                    let (pause, isNews) = trouble.failed(error, at: endpoint.clock.now)
                    if isNews { logger.warning("a program could not connect: \(error)") }
                    try? await endpoint.clock.sleep(until: endpoint.clock.now + pause)
                }
            }
            group.cancelAll()
        }
    }

    /// Serves nobody any more, and removes the socket.
    public func close() { listener.close() }
}
