import Logging
import Synchronization
import WatchLink

/// The message bridge of a host program: passes values under names to the other side, and receives those of the other.
///
/// It works in either role, over any transport. A phone serves any number of watches, over one listener; a watch has
/// one peer, its phone, to which it connects, or which connects to its listener: then the newest channel counts. The store
/// keeps a message until it is applied, so an endpoint may be closed, or die, at any moment, and another over the same store
/// continues.
///
///     let store = try MessageStore(path: "messages.sqlite")
///     let listener = try UnixListener("watch.sock", in: directory)
///     let phone = Wormhole(.listens(listener), store: store, configuration: WormholeConfiguration(role: .phone))
///     try await phone.start()
///     try await phone.pass(shopping, under: "list", delivery: .queued)
///     for await check in phone.messages(of: Check.self, under: "check") { … }
public final actor Wormhole {
    private enum Life {
        case new
        case running(Task<Void, Never>)
        /// Closed, or about to be.
        case closed
    }

    /// The most peers whose reachability is remembered while they are away.
    static let mostUnreachablePeers = 1_024

    /// The most channels whose peer has not said who it is: for each further one the oldest ends. A watch says it at once,
    /// and whoever opens channels and says nothing holds that many descriptors of the program.
    static let mostStrangers = 64

    let source: ChannelSource
    let store: any MessageStorage
    nonisolated let fileSystem: FileSystem
    nonisolated let configuration: WormholeConfiguration
    nonisolated let clock: any LinkClock
    nonisolated let logger: Logger
    nonisolated let heard = Broadcast<HeardMessage>()
    nonisolated let board = ReachabilityBoard()
    nonisolated let answerers = Answerers()
    nonisolated let outbox = FileOutbox()
    nonisolated let receptions = FileReceptions()
    /// Every channel that is open, known peer or not.
    private var channels: [PeerLink] = []
    /// The link of each peer that has said hello. The actor alone changes it; whoever asks reads it without a switch to the actor.
    nonisolated let currentLinks = Mutex<[PeerIdentity: PeerLink]>([:])
    nonisolated let deliveries = DeliveryTracker()
    /// The most bytes of a message to a peer, for the peers that have connected since the start.
    var largestBodies: [PeerIdentity: Int] = [:]
    private var life = Life.new
    /// Known once the store has been asked.
    private var identity: UInt64?

    /// An endpoint. Nothing happens before `start()`.
    ///
    /// - Parameters:
    ///   - store: keeps its messages. One endpoint at a time uses it.
    ///   - logger: gets a line for each event on the links.
    public init(
        _ source: ChannelSource, store: MessageStore, configuration: WormholeConfiguration,
        clock: any LinkClock = SystemClock(), logger: Logger = Logger(label: "tapline.wormhole")
    ) {
        self.init(source, storage: store, configuration: configuration, clock: clock, logger: logger)
    }

    package init(
        _ source: ChannelSource, storage store: any MessageStorage, configuration: WormholeConfiguration,
        clock: any LinkClock = SystemClock(), logger: Logger = Logger(label: "tapline.wormhole"),
        fileSystem: FileSystem = FileSystem()
    ) {
        self.source = source
        self.store = store
        self.fileSystem = fileSystem
        self.configuration = configuration
        self.clock = clock
        self.logger = logger.aboutPeers(clock)
    }

    /// Starts to listen or to connect, until `close()`. A second call does nothing.
    ///
    /// - Throws: what the store throws; `.closed` where it was closed before.
    public func start() async throws(WormholeError) {
        let identity = try await prepare()
        switch life {
        case .new: life = .running(Task { await self.serve(identity) })
        case .running: break
        case .closed: throw .closed
        }
    }

    /// Says goodbye to every peer, stops, and ends every sequence. Messages that were passed stay in the store.
    public func close() async {
        let task: Task<Void, Never>? =
            switch life {
            case .running(let task): task
            case .new, .closed: nil
            }
        life = .closed
        if case .listens(let listener) = source { listener.close() }
        for channel in channels { await channel.close(.goingAway) }
        for channel in channels { await channel.waitForEnd() }
        task?.cancel()
        await task?.value
        receptions.end()
        heard.finish()
        board.finish()
    }

    /// Looks for new messages in the store, for a program whose store fills the queues itself.
    package func outgoingChanged(for recipients: Recipients = .everyone) async {
        // In an order that does not depend on the machine.
        let told = links.filter { recipients.include($0.key) }.sorted { $0.key < $1.key }
        // Many are told from one look into the store; one that has many reasons to look at the same time looks for all of them.
        guard told.count > 1, let issued = try? await store.issued(to: told.map(\.key)) else {
            for (_, link) in told { await link.outgoingChanged() }
            return
        }
        for (peer, link) in told { await link.learn(issued[peer] ?? IssuedPositions()) }
    }

    /// Says goodbye to a peer, for a program whose store has forgotten it. If it connects again, it is a new one.
    package func disconnect(_ peer: PeerIdentity) async {
        await links[peer]?.close(.goingAway)
    }

    /// Whether a peer is connected, has applied everything that was issued to it, and has sent everything that it had
    /// when it connected. Where it had a value that it does not send, because this side's value of the name has won, that is not
    /// known before it passes another one or connects anew.
    public func isSynchronized(with peer: PeerIdentity) async -> Bool {
        await links[peer]?.isSynchronized ?? false
    }

    var links: [PeerIdentity: PeerLink] {
        get { currentLinks.withLock { $0 } }
        set { currentLinks.withLock { $0 = newValue } }
    }

    var isClosed: Bool {
        switch life {
        case .new, .running: false
        case .closed: true
        }
    }

    /// Asks the store for the identity of this endpoint.
    @discardableResult
    func prepare() async throws(WormholeError) -> UInt64 {
        if let identity { return identity }
        let identity = try await store.identity(proposal: max(configuration.randomNumber(), 1))
        try await store.beginRun { [configuration] in configuration.drawEpoch() }
        if case .watch = configuration.role {
            // A watch queues for its phone before the two ever connect.
            _ = try await store.resume(.phone, handshake: nil, newEpoch: configuration.drawEpoch())
        }
        let records = try await store.transfers()
        // Somebody else may have come here while the stores were asked.
        guard self.identity == nil else { return identity }
        for record in records { _ = outbox.add(entry(record)) }
        self.identity = identity
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
            var trouble = AcceptTrouble()
            while !isClosed {
                do throws(WormholeError) {
                    let transport = try await listener.accept()
                    let failures = trouble.succeeded()
                    if failures > 0 {
                        logger.notice("connections are accepted again", metadata: ["failures": "\(failures)"])
                    }
                    // In the order of their arrival, which the tasks would not keep.
                    guard let link = await admit(transport, identity) else { return }
                    group.addTask {
                        await self.endOlder(than: link)
                        _ = await self.run(link)
                    }
                } catch {
                    if error == .closed { return }
                    let (length, isNews) = trouble.failed(error, at: clock.now)
                    if isNews { logger.warning("a connection was not accepted", metadata: ["error": "\(error)"]) }
                    await pause(length)
                }
            }
        }
    }

    private func connect(through connector: any TransportConnector, _ identity: UInt64) async {
        let delay = SharedReconnectDelay(
            ReconnectDelay(
                shortest: configuration.shortestPause, longest: configuration.longestPause,
                seed: configuration.randomNumber()))
        while !isClosed {
            var end: CloseReason?
            do throws(WormholeError) {
                let transport = delay.observe(try await connector.connect())
                guard let link = await admit(transport, identity) else { return }
                if case .closed(let reason) = await run(link) { end = reason }
            } catch {
                logger.debug("no connection", metadata: ["error": "\(error)"])
                let peers = configuration.role == .watch ? [.phone] : board.peers
                for peer in peers { board.note(peer, .noConnection(error), at: clock.now) }
            }
            let usual = delay.next()
            if !isClosed { await pause(end.map { pause(after: $0, usually: usual) } ?? usual) }
        }
    }

    /// The pause after a link that ended for this reason: at least that of the reason, also where no frame has told it.
    private func pause(after reason: CloseReason, usually usual: Microseconds) -> Microseconds {
        if reason.isFinal { return configuration.unwantedPause }
        let goodbye: GoodbyeReason? =
            if case .peerLeft(let goodbye) = reason { goodbye.reason } else { reason.goodbye?.reason }
        return max(usual, goodbye?.pause ?? .zero)
    }

    private func pause(_ length: Microseconds) async {
        // `close()` cancels the pause and ends the loop around it.
        try? await clock.sleep(until: clock.now + length)
    }

    /// A channel to whoever is at the other end; nil where this endpoint was closed meanwhile.
    private func admit(_ transport: any DatagramTransport, _ identity: UInt64) async -> PeerLink? {
        let strangers = channels.filter { channel in !links.values.contains { $0 === channel } }
        for stranger in strangers.dropLast(Wormhole.mostStrangers - 1) { await stranger.close(.noHello) }
        guard !isClosed else {
            transport.close()
            return nil
        }
        let link = PeerLink(
            transport, identity: identity, endpoint: self, store: store, configuration: configuration, clock: clock,
            logger: logger)
        channels.append(link)
        return link
    }

    /// A watch has one phone, which connects anew before its old channel is known to be dead. In its hello the watch says what it
    /// has applied, so that nothing may be applied over an older channel any more.
    private func endOlder(than link: PeerLink) async {
        guard case .watch = configuration.role else { return }
        for older in channels.prefix(while: { $0 !== link }) {
            await older.close(.replaced)
            await older.waitForEnd()
        }
    }

    /// Returns how the channel ended.
    private func run(_ link: PeerLink) async -> LinkEnd {
        let end = await link.run()
        channels.removeAll { $0 === link }
        logger.info("channel ended", metadata: ["end": "\(end)"])
        noteFailure(end, of: links.first { $0.value === link }?.key, from: link.transport.peer)
        if let peer = links.first(where: { $0.value === link })?.key {
            links[peer] = nil
            board.note(peer, end.unreachableReason, at: clock.now)
            for forgotten in board.forgetUnreachable(keeping: Wormhole.mostUnreachablePeers) {
                largestBodies[forgotten] = nil
                deliveries.forget(forgotten)
            }
            return end
        }
        if case .watch = configuration.role, links[.phone] == nil {
            board.note(.phone, end.unreachableReason, at: clock.now)
        }
        noteRefusal(end, of: link.transport.peer)
        return end
    }

    /// A link that the store has ended leaves a line, also one that had not opened yet.
    private func noteFailure(_ end: LinkEnd, of peer: PeerIdentity?, from visitor: TransportPeer) {
        guard case .store(let error) = end, !isClosed else { return }
        logger.error(
            "a link ended, and is made again: \(error)",
            metadata: peer.map { ["peer": "\($0)"] } ?? .aboutVisitors(["visitor": "\(visitor)"]))
    }

    /// A visitor who was sent away before becoming a peer leaves a line: who it was, and why.
    private func noteRefusal(_ end: LinkEnd, of visitor: TransportPeer) {
        guard case .phone = configuration.role, case .closed(let reason) = end, !isClosed else { return }
        switch reason {
        case .goingAway, .peerLeft: return
        case .refused, .replaced, .historyLost, .otherPhone, .otherVersion, .protocolFault, .silent, .noHello,
            .transportTooSmall:
            logger.warning(
                "a visitor was sent away: \(end.unreachableReason)",
                metadata: .aboutVisitors(["visitor": "\(visitor)"]))
        }
    }
}

// What the channels report to the endpoint.
extension Wormhole {
    // These refer to numbers that may have changed, so they run on the actor, in the order of the calls: `pass` enters a
    // message there under the number that the store has just given it, and a channel reports new numbers before it reports
    // what it sends under them.

    func resumed(_ peer: PeerIdentity, _ positions: StreamPositions, before: UInt32) {
        deliveries.resumed(peer, positions, before: before)
    }

    func sent(_ delivery: LinkDelivery, _ number: UInt32, to peer: PeerIdentity) {
        deliveries.sent(delivery, number, to: peer)
    }

    func failed(_ delivery: LinkDelivery, _ number: UInt32, to peer: PeerIdentity, _ failure: MessageFailure) {
        deliveries.failed(delivery, number, to: peer, failure)
    }

    /// A channel knows its peer now. An older channel of the same peer is closed, and has ended when this returns: every
    /// message that it was applying is applied, so the store knows the positions.
    func claim(_ peer: PeerIdentity, for link: PeerLink) async {
        while let older = links[peer], older !== link {
            await older.close(.replaced)
            await older.waitForEnd()
            if links[peer] === older { links[peer] = nil }
        }
        links[peer] = link
    }

    func opened(_ peer: PeerIdentity, _ handshake: PeerHandshake, at now: WatchLink.Instant) {
        largestBodies[peer] = handshake.largestBody
        board.note(peer, saying: handshake.hello, at: now)
        logger.info("peer reachable", metadata: ["peer": "\(peer)"])
    }
}
