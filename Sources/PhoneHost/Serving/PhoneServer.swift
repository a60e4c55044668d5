import HostSystem
import Logging
import WatchLink
import Wormhole

/// Serves any number of watches from one database. A change by a watch or a program reaches all other connected watches at
/// once.
///
/// The server brings the connected watches up to date after a watch's message, when a `ChangeNotifier` disconnects, and
/// when it finds a change in the database. Watches that are not connected get their rows when they connect.
///
/// A `PhoneMachine` makes all decisions. The server provides the sockets.
public final actor PhoneServer {
    private enum Life {
        case new
        case serving(Task<Void, Never>)
        case stopped
    }

    private let store: PhoneStore
    private let messages: MessageStore
    private let events = PhoneEvents()
    private let endpoint: Wormhole
    private let control: ControlServer
    private let logger: Logger
    private let checkInterval: Microseconds?
    private var life = Life.new

    /// Makes a server with one listener for watches and another for control. The server does nothing before `start()`.
    ///
    /// - Parameters:
    ///   - name: the name that watches show for the phone; cut after 32 bytes.
    ///   - checkInterval: how often to check the database for changes that no `ChangeNotifier` has announced; nil for never.
    ///   - wrapping: adds a layer between the links and their message store, for tests of failures.
    package init(
        store: PhoneStore, watches: any TransportListener, control: any TransportListener, name: String = "",
        checkingEvery checkInterval: Microseconds? = nil, clock: any LinkClock = SystemClock(),
        logger: Logger = Logger(label: "tapline.phone"),
        wrapping: @Sendable (any MessageStorage) -> any MessageStorage = { $0 }
    ) {
        self.store = store
        self.checkInterval = checkInterval
        let logger = logger.aboutPeers(clock)
        self.logger = logger
        var quiet = logger
        // The links log only warnings. The server logs their other events itself.
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

    /// Makes a server that listens on `sockets`. `others` are further listeners for watches, for example on Bluetooth.
    public init(
        store: PhoneStore, sockets: PhoneSockets, others: [any TransportListener] = [], name: String = "",
        logger: Logger = Logger(label: "tapline.phone")
    ) {
        let watches: any TransportListener =
            others.isEmpty ? sockets.watches : MergedListener([sockets.watches] + others)
        self.init(
            store: store, watches: watches, control: sockets.control, name: name,
            checkingEvery: .seconds(1), logger: logger)
    }

    /// Starts to serve.
    ///
    /// - Throws: `.sockets` if the database or a listener fails, or if the server was started before.
    public func start() async throws(PhoneError) {
        guard case .new = life else { throw .sockets(reason: "a stopped server cannot be started again") }
        do {
            try await endpoint.call { [store, messages, events, checkInterval, logger] machine throws(WormholeError) in
                _ = try PhoneMachine(
                    store, messages, events, on: machine, checkingEvery: checkInterval, logger: logger)
            }
            try await endpoint.start()
        } catch {
            throw .sockets(reason: error.description)
        }
        life = .serving(Task { [control] in await control.serve() })
    }

    /// Disconnects the watches and stops serving. The database stays open.
    public func stop() async {
        guard case .serving(let serving) = life else { return }
        life = .stopped
        control.close()
        await settled()
        // The control connections end first, so a command that waits for a peer learns that the program stops.
        await serving.value
        await endpoint.close()
    }

    /// The watches that are connected now.
    public var connectedWatches: Set<PeerIdentity> {
        get async { await endpoint.tell(\.connected) ?? [] }
    }

    /// Returns when the server has queued, for all connected watches, every change that it knows now. Also returns if that
    /// fails. The server then tries again after a second.
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

    /// Plans to bring every connected watch up to date. `settled()` waits until that is done. One transaction handles
    /// changes that arrive together.
    public func listChanged() async { await endpoint.tell { $0.listChanged() } }
}

extension Wormhole {
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
