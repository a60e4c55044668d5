import HostSystem
import Logging
import WatchLink
import Wormhole

/// Serves any number of watches from one database. A change made by a watch or a command reaches all the others at once.
///
/// A message of a watch and the end of a `ChangeNotifier` each bring the connected watches up to date,
/// and so does a change that a look at the database finds. A watch that is not connected is brought up to date when it
/// connects, so nothing is queued for it in the meantime.
///
/// A `PhoneMachine` decides everything. This gives it sockets.
public final actor PhoneServer {
    private enum Life {
        case new
        case serving(Task<Void, Never>)
        case stopped
    }

    /// How a server learns of changes that other programs make.
    package enum Noticing: Sendable {
        /// By what they say over the control socket alone.
        case announced
        /// By looking at the database too, this often: a program that was given another directory of sockets, or none, says
        /// nothing.
        case looked(every: Microseconds)
    }

    private let store: PhoneStore
    private let messages: MessageStore
    private let events = PhoneEvents()
    private let endpoint: Wormhole
    private let control: ControlServer
    private let logger: Logger
    private let noticing: Noticing
    private var life = Life.new

    /// A server with one listener for watches and another for control. Nothing happens before `start()`.
    ///
    /// - Parameters:
    ///   - store: the database. One server at a time uses it.
    ///   - name: the name of the phone that watches show; cut after 32 bytes.
    ///   - noticing: how the server learns of changes that other programs make.
    ///   - clock: the time of the link's timers.
    ///   - logger: receives one line for each event.
    ///   - wrapping: what stands between the links and the store of their messages, for a test that breaks it.
    package init(
        store: PhoneStore, watches: any TransportListener, control: any TransportListener, name: String = "",
        noticing: Noticing = .announced, clock: any LinkClock = SystemClock(),
        logger: Logger = Logger(label: "tapline.phone"),
        wrapping: @Sendable (any MessageStorage) -> any MessageStorage = { $0 }
    ) {
        self.store = store
        self.noticing = noticing
        let logger = logger.aboutPeers(clock)
        self.logger = logger
        var quiet = logger
        // The server logs what happens on the links itself.
        quiet.logLevel = max(logger.logLevel, .warning)
        let messages = PhoneMachine.messages(in: store, events)
        self.messages = messages
        endpoint = Wormhole(
            .listens(watches), storage: wrapping(messages),
            configuration: PhoneMachine.configuration(of: store, named: name), clock: clock, logger: quiet)
        let endpointControl = EndpointControl(endpoint, inbox: messages)
        self.control = ControlServer(control, clock: clock, logger: logger) {
            [endpoint] request, exchange throws(WormholeError) in
            guard case .changing = request else { return try await endpointControl.perform(request, exchange) }
            for await _ in exchange.further {}
            await endpoint.tell { $0.databaseChanged() }
        }
    }

    /// A server on this machine's sockets.
    ///
    /// - Parameter others: further listeners for watches, such as Bluetooth.
    public init(
        store: PhoneStore, sockets: PhoneSockets, others: [any TransportListener] = [], name: String = "",
        logger: Logger = Logger(label: "tapline.phone")
    ) {
        let watches: any TransportListener =
            others.isEmpty ? sockets.watches : MergedListener([sockets.watches] + others)
        self.init(
            store: store, watches: watches, control: sockets.control, name: name,
            noticing: .looked(every: .seconds(1)), logger: logger)
    }

    /// Begins to serve.
    ///
    /// - Throws: what the database throws; `.sockets` if the server was stopped before.
    public func start() async throws(PhoneError) {
        guard case .new = life else { throw .sockets(reason: "a stopped server cannot be started again") }
        let interval: Microseconds? =
            switch noticing {
            case .announced: nil
            case .looked(let interval): interval
            }
        do {
            try await endpoint.call { [store, messages, events, logger] machine throws(WormholeError) in
                _ = try PhoneMachine(
                    store, messages, events, on: machine, lookingEvery: interval, logger: logger)
            }
            try await endpoint.start()
        } catch {
            throw .sockets(reason: error.description)
        }
        life = .serving(Task { [control] in await control.serve() })
    }

    /// Says goodbye to the watches and stops. The database stays open.
    public func stop() async {
        guard case .serving(let serving) = life else { return }
        life = .stopped
        control.close()
        await settled()
        // A command that waits for a peer is told that this program leaves before the end of the endpoint ends its wait.
        await serving.value
        await endpoint.close()
    }

    /// The watches that are connected now.
    public var connectedWatches: Set<PeerIdentity> {
        get async { await endpoint.tell(\.connected) ?? [] }
    }

    /// Returns when every change that the server noticed before this call is queued for the connected watches.
    public func settled() async {
        await withCheckedContinuation { continuation in
            endpoint.enqueue {
                .always { machine in
                    guard let phone = machine.program as? PhoneMachine else { return continuation.resume() }
                    phone.settle { continuation.resume() }
                }
            }
        }
    }

    /// Brings every connected watch up to date, because the list may have changed. Changes during that work share one more
    /// round.
    public func listChanged() async { await endpoint.tell { $0.listChanged() } }
}

extension Wormhole {
    /// Has the phone do something; nothing happens if the database is closed.
    @discardableResult
    fileprivate nonisolated(nonsending) func tell<Value: Sendable>(
        _ body: @escaping @Sendable (PhoneMachine) -> Value
    ) async -> Value? {
        try? await call { machine throws(WormholeError) in
            guard let phone = machine.program as? PhoneMachine else { throw .closed }
            return body(phone)
        }
    }
}
