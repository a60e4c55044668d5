import Logging
import WatchLink

/// The message bridge of a host program: passes values under names to the other side, and hears what comes from there.
///
/// It works in either role, over any transport. A phone serves any number of watches, over one listener; a watch has
/// one peer, its phone. The store keeps what is passed until it is applied, so an endpoint may be closed, or die, at
/// any moment and another over the same store goes on where it was.
///
///     let store = try MessageStore(path: "messages.store")
///     let phone = Wormhole(role: .phone, .listens(try UnixListener("watch.sock", in: directory)), store: store)
///     try await phone.start()
///     try await phone.pass(shopping, under: "list", delivery: .queued)
///     for await check in phone.messages(of: Check.self, under: "check") { … }
public actor Wormhole {
    private enum Life {
        /// Not started yet.
        case new
        /// Connecting or listening.
        case running(Task<Void, Never>)
        /// Closed, or about to be.
        case closed
    }

    /// Who this endpoint is, once the store has been asked.
    private enum Preparation {
        case none
        case done(identity: UInt64)
    }

    let source: ChannelSource
    let store: any Persisting
    nonisolated let configuration: WormholeConfiguration
    nonisolated let clock: any LinkClock
    nonisolated let logger: Logger
    nonisolated let heard = Broadcast<HeardMessage>()
    nonisolated let board = ReachabilityBoard()
    /// Every channel that is open, known peer or not.
    private var channels: [ObjectIdentifier: PeerLink] = [:]
    /// The channel of each peer.
    var links: [PeerIdentity: PeerLink] = [:]
    var ledger = DeliveryTracker()
    /// The most bytes of a message to a peer, for those that were met since the start.
    var largestBodies: [PeerIdentity: Int] = [:]
    private var life = Life.new
    private var preparation = Preparation.none

    /// An endpoint. Nothing happens before `start()`.
    ///
    /// - Parameters:
    ///   - source: how it comes by its channels.
    ///   - store: what keeps its messages. One endpoint at a time uses it.
    ///   - configuration: its role, its name, what it takes and how long it waits.
    ///   - clock: the time.
    ///   - logger: for what happens on the links.
    public init(
        _ source: ChannelSource, store: any Persisting, configuration: WormholeConfiguration,
        clock: any LinkClock = SystemClock(), logger: Logger = Logger(label: "tapline.wormhole")
    ) {
        self.source = source
        self.store = store
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
    }

    /// An endpoint with the usual configuration.
    public init(role: LinkRole, name: String = "", _ source: ChannelSource, store: any Persisting) {
        self.init(source, store: store, configuration: WormholeConfiguration(role: role, name: name))
    }

    /// Begins to listen or to connect, and goes on until `close()`. A second call does nothing.
    ///
    /// - Throws: `.storage` or whatever the store says; `.closed` where it was closed before.
    public func start() async throws(WormholeError) {
        let identity = try await prepare()
        switch life {
        case .new: life = .running(Task { await self.serve(identity) })
        case .running: break
        case .closed: throw .closed
        }
    }

    /// Says goodbye to every peer, stops, and ends every sequence. What was passed stays in the store.
    public func close() async {
        let task: Task<Void, Never>? =
            switch life {
            case .running(let task): task
            case .new, .closed: nil
            }
        life = .closed
        if case .listens(let listener) = source { listener.close() }
        for channel in channels.values { await channel.close(.goingAway) }
        for channel in channels.values { await channel.waitForEnd() }
        task?.cancel()
        await task?.value
        heard.finish()
        board.finish()
    }

    /// Reports to the endpoint that the store has something new for a peer, or for all of them: a program whose store
    /// fills the queues itself says so here.
    public func outgoingChanged(for recipients: Recipients = .everyone) async {
        for (peer, link) in links where recipients.include(peer) { await link.outgoingChanged() }
    }

    /// Whether a peer is connected, has applied everything that was issued to it, and has sent everything that it had
    /// when it connected.
    public func isSynchronized(with peer: PeerIdentity) async -> Bool {
        await links[peer]?.isSynchronized ?? false
    }

    var isClosed: Bool {
        switch life {
        case .new, .running: false
        case .closed: true
        }
    }

    /// Asks the store who this endpoint is.
    @discardableResult
    func prepare() async throws(WormholeError) -> UInt64 {
        if case .done(let identity) = preparation { return identity }
        let identity = try await store.identity(proposal: max(configuration.randomNumber(), 1))
        if case .watch = configuration.role {
            // A watch queues for its phone before it has ever met it.
            _ = try await store.resume(.phone, meeting: nil, newEpoch: configuration.drawEpoch())
        }
        preparation = .done(identity: identity)
        return identity
    }
}

extension Wormhole {
    private func serve(_ identity: UInt64) async {
        switch source {
        case .listens(let listener): await listen(to: listener, identity)
        case .connects(let connector): await connect(through: connector, identity)
        }
    }

    private func listen(to listener: any TransportListener, _ identity: UInt64) async {
        await withDiscardingTaskGroup { group in
            while !isClosed {
                do throws(WormholeError) {
                    let transport = try await listener.accept()
                    group.addTask { _ = await self.serve(transport, identity) }
                } catch {
                    if error == .closed { return }
                    logger.warning("a connection was not accepted", metadata: ["error": "\(error)"])
                    if case .foreignPeer = error { continue }
                    await pause(configuration.longestPause)
                }
            }
        }
    }

    private func connect(through connector: any TransportConnector, _ identity: UInt64) async {
        var nextPause = configuration.shortestPause
        while !isClosed {
            var pauseNow = nextPause
            nextPause = min(nextPause + nextPause, configuration.longestPause)
            do throws(WormholeError) {
                let transport = try await connector.connect()
                switch await serve(transport, identity) {
                case .opened(let end):
                    pauseNow = configuration.shortestPause
                    nextPause = pauseNow
                    if case .closed(let reason) = end, reason.isFinal { pauseNow = configuration.unwantedPause }
                case .neverOpened(let end):
                    if case .closed(let reason) = end, reason.isFinal { pauseNow = configuration.unwantedPause }
                }
            } catch {
                logger.debug("no connection", metadata: ["error": "\(error)"])
                let peers = configuration.role == .watch ? [.phone] : board.peers
                for peer in peers { board.note(peer, .noConnection(error), at: clock.now) }
            }
            if !isClosed { await pause(pauseNow) }
        }
    }

    private func pause(_ length: Microseconds) async {
        // A pause that is cut short by `close()` ends the loop around it.
        try? await clock.sleep(until: clock.now + length)
    }

    /// How a channel came out.
    private enum ChannelOutcome {
        /// Messages could flow.
        case opened(LinkEnd)
        /// The two never got to know one another.
        case neverOpened(LinkEnd)
    }

    private func serve(_ transport: any DatagramTransport, _ identity: UInt64) async -> ChannelOutcome {
        guard !isClosed else {
            transport.close()
            return .neverOpened(.closed(.goingAway))
        }
        let link = PeerLink(
            transport, identity: identity, endpoint: self, store: store, configuration: configuration, clock: clock,
            logger: logger)
        channels[ObjectIdentifier(link)] = link
        let end = await link.run()
        channels[ObjectIdentifier(link)] = nil
        logger.info("channel ended", metadata: ["end": "\(end)"])
        if let peer = links.first(where: { $0.value === link })?.key {
            links[peer] = nil
            board.note(peer, end.unreachableReason, at: clock.now)
            return .opened(end)
        }
        if case .watch = configuration.role, links[.phone] == nil {
            board.note(.phone, end.unreachableReason, at: clock.now)
        }
        return .neverOpened(end)
    }
}
