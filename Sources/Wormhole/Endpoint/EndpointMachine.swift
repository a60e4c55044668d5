import Logging
import WatchLink

/// A channel of an endpoint: its shell counts them in the order in which they were opened.
package typealias ChannelNumber = UInt64

/// Something that happens to an endpoint: a part of a turn.
package struct EndpointInput {
    let act: (EndpointMachine, WatchLink.Instant) throws(WormholeError) -> Void
    /// Called after the turn, with the error for which nothing of the part is committed; nil for none.
    let finish: (EndpointMachine, WormholeError?) -> Void

    package init(
        _ act: @escaping (EndpointMachine, WatchLink.Instant) throws(WormholeError) -> Void,
        finish: @escaping (EndpointMachine, WormholeError?) -> Void = { _, _ in }
    ) {
        self.act = act
        self.finish = finish
    }

    /// Something that happens on a channel, which ends if the store fails.
    package static func on(
        _ channel: ChannelNumber,
        _ act: @escaping (EndpointMachine, WatchLink.Instant) throws(WormholeError) -> Void
    ) -> EndpointInput {
        EndpointInput(act) { machine, error in if let error { machine.fail(channel, error) } }
    }

    /// Something that changes no database, and happens whatever becomes of the turn.
    package static func always(_ act: @escaping (EndpointMachine) -> Void) -> EndpointInput {
        EndpointInput({ _, _ in }, finish: { machine, _ in act(machine) })
    }

    /// - Parameter heldFor: how long it has waited for this turn: the peer is told what its message took on this side.
    package static func received(
        _ datagram: [UInt8], on channel: ChannelNumber, heldFor: Microseconds = .zero
    ) -> EndpointInput {
        .on(channel) { machine, now throws(WormholeError) in
            machine.carried(datagram, on: channel)
            try machine.link(of: channel)?.receive(datagram, heldFor: heldFor, at: now)
        }
    }

    /// A channel is closed, or has failed.
    package static func ended(_ channel: ChannelNumber, _ error: WormholeError) -> EndpointInput {
        .on(channel) { machine, _ in machine.ended(channel, error) }
    }

    /// Something was done to a file that is received. If it has its name now, the store knows that before its sender does.
    package static func fileDone(_ result: FileJobResult) -> EndpointInput {
        guard case .success(.named(let path)) = result.outcome else { return .always { $0.fileDone(result) } }
        return EndpointInput { machine, _ throws(WormholeError) in
            try machine.store.end(result.job.part.expected.origin, .stored)
        } finish: { machine, error in
            guard let error else { return machine.emitAtOnce(.file(result.job.followed(by: .finish(path)))) }
            // It is judged again when it is offered over the next link.
            machine.receptions.leave(result.job.part.expected.partName)
            machine.fail(result.job.channel, error)
        }
    }

    /// The transport has taken the last datagram.
    package static func sent(on channel: ChannelNumber) -> EndpointInput {
        .on(channel) { machine, _ throws(WormholeError) in try machine.link(of: channel)?.sent() }
    }
}

/// What an endpoint has its shell do.
package enum EndpointAction: Sendable {
    /// Open a channel to the peer, and report it by `opened`, or by `notConnected`.
    case connect
    /// Send a datagram, and report it by `sent` once the transport has taken it, or by `notSent`.
    case send([UInt8], over: ChannelNumber)
    /// Send a datagram if that takes no waiting. Nothing is reported.
    case sendAtOnce([UInt8], over: ChannelNumber)
    /// Close a channel. Nothing is reported of it any more.
    case close(ChannelNumber)
    case heard(HeardMessage)
    /// Have a question of a peer answered, and report that by `answered`.
    case answer(PeerQuestion)
    /// No answer is wanted any more.
    case dropAnswer(PeerQuestion.ID)
    /// Write a file, after those before, and report it by `fileDone`.
    case file(FileJob)
}

/// A program that works in the turns of its endpoint.
package protocol EndpointProgram: AnyObject {
    /// A turn is over, and what follows from it was not released yet.
    ///
    /// - Parameter changes: the changes of reachability since the last call.
    func follow(_ changes: [ReachabilityChange])
}

/// The message bridge without its transports, threads and clock: what happens goes in, what follows comes out.
///
/// What has come together is one turn. `handle` makes one transaction of it, and `release` returns what the shell has to do once
/// that is committed. If a transaction fails, nothing of it is released: the links that took part in it end, and their peers
/// send again what was not acknowledged. One thread at a time calls a machine.
package final class EndpointMachine {
    private enum Life {
        case new
        case running
        /// Links say goodbye; these are told when none is left.
        case closing([() -> Void])
        case closed
    }

    private struct Timer {
        let time: WatchLink.Instant
        let input: EndpointInput
    }

    /// The most peers whose reachability is remembered while they are away.
    static let mostUnreachablePeers = 1_024

    /// The most channels whose peer has not said who it is: for each further one the oldest ends. A watch says it at once,
    /// and a program that opens channels and says nothing holds that many descriptors of this one.
    static let mostStrangers = 64

    let store: any MessageStorage
    let fileSystem: FileSystem
    let configuration: WormholeConfiguration
    let logger: Logger
    package let board: ReachabilityBoard
    let receptions: FileReceptions
    /// Runs something in the machine for an object that the program holds, such as a file on its way.
    let entering: @Sendable (@escaping @Sendable (EndpointMachine) throws(WormholeError) -> Void) async -> Void
    private let connects: Bool
    private var delay: ReconnectDelay

    private var life = Life.new
    /// Known once the store has been asked.
    private var identity: UInt64?
    package private(set) var now = WatchLink.Instant.start
    /// Every open channel, known peer or not.
    private var links: [ChannelNumber: LinkMachine] = [:]
    /// The link of each peer that has said hello.
    private(set) var current: [PeerIdentity: LinkMachine] = [:]
    var deliveries = DeliveryTracker()
    var outbox = FileOutbox()
    /// The most bytes of a message to a peer, for the peers that have connected since the start.
    private(set) var largestBodies: [PeerIdentity: Int] = [:]
    /// The channel that this side has opened.
    private var ownChannel: ChannelNumber?

    private var isInTurn = false
    private var actions: [EndpointAction] = []
    private var touched: Set<ChannelNumber> = []
    private var timers: [String: Timer] = [:]
    /// When the machine is to be called, though nothing happens; nil if it waits for nothing.
    package private(set) var due: WatchLink.Instant?
    /// The changes of reachability that the program has not been told of.
    private var reachabilityChanges: [ReachabilityChange] = []
    /// What decides together with this machine, in the same turns.
    package var program: (any EndpointProgram)?

    /// - Parameter connects: whether it opens its channel itself.
    package init(
        connects: Bool, store: any MessageStorage, configuration: WormholeConfiguration, logger: Logger,
        fileSystem: FileSystem = FileSystem(), board: ReachabilityBoard = ReachabilityBoard(),
        receptions: FileReceptions = FileReceptions(),
        entering:
            @escaping @Sendable (@escaping @Sendable (EndpointMachine) throws(WormholeError) -> Void) async -> Void = {
                _ in
            }
    ) {
        self.connects = connects
        self.store = store
        self.configuration = configuration
        self.logger = logger
        self.fileSystem = fileSystem
        self.board = board
        self.receptions = receptions
        self.entering = entering
        delay = ReconnectDelay(
            shortest: configuration.shortestPause, longest: configuration.longestPause,
            seed: connects ? configuration.randomNumber() : 0)
    }

    // MARK: Turns

    /// Makes one transaction of what has come together, and of what is due.
    package func handle(_ inputs: [EndpointInput], at now: WatchLink.Instant) {
        self.now = now
        run(inputs + takeDue())
    }

    /// Continues after the commit.
    ///
    /// - Returns: what the shell does, in this order.
    package func release(at now: WatchLink.Instant) -> [EndpointAction] {
        self.now = now
        program?.follow(reachabilityChanges)
        reachabilityChanges = []
        while !touched.isEmpty {
            let channels = touched.sorted()
            touched = []
            for channel in channels { links[channel]?.settle(at: now) }
            run(
                channels.map { channel in
                    .on(channel) { machine, now throws(WormholeError) in try machine.link(of: channel)?.pump(at: now) }
                })
        }
        due = timers.values.lazy.map(\.time).min()
        for link in links.values { due = [due, link.due].compactMap(\.self).min() }
        defer { actions = [] }
        return actions
    }

    private func run(_ inputs: [EndpointInput]) {
        guard !inputs.isEmpty else { return }
        var failures = [WormholeError?](repeating: nil, count: inputs.count)
        isInTurn = true
        do throws(WormholeError) {
            try store.turn {
                // What is done after the commit is not in the turn any more.
                store.afterCommit { self.isInTurn = false }
                for (index, input) in inputs.enumerated() {
                    do throws(WormholeError) {
                        try store.part { () throws(WormholeError) in try input.act(self, now) }
                    } catch {
                        failures[index] = error
                    }
                }
            }
        } catch {
            failures = [WormholeError?](repeating: error, count: inputs.count)
        }
        isInTurn = false
        for (input, failure) in zip(inputs, failures) { input.finish(self, failure) }
    }

    private func takeDue() -> [EndpointInput] {
        guard let due, due <= now else { return [] }
        let over = timers.filter { $0.value.time <= now }.sorted { ($0.value.time, $0.key) < ($1.value.time, $1.key) }
        for (key, _) in over { timers[key] = nil }
        let waiting = links.filter { $0.value.due.map { $0 <= now } ?? false }.keys.sorted()
        return over.map(\.value.input)
            + waiting.map { channel in
                .on(channel) { machine, now throws(WormholeError) in machine.link(of: channel)?.timePassed(now) }
            }
    }

    /// Does something once the turn is committed, unless its part fails; at once outside of a turn.
    package func after(_ step: @escaping () -> Void) {
        if isInTurn { store.afterCommit(step) } else { step() }
    }

    /// Has the shell do something once the turn is committed.
    func emit(_ action: EndpointAction) { after { [unowned self] in actions.append(action) } }

    /// Has the shell do something whatever becomes of the turn.
    func emitAtOnce(_ action: EndpointAction) { actions.append(action) }

    /// Something may be to be sent over a channel.
    func touch(_ link: LinkMachine) { touched.insert(link.channel) }

    /// Has something happen at a time, in the place of what was planned under this key.
    package func plan(_ key: String, at time: WatchLink.Instant, _ input: EndpointInput) {
        timers[key] = Timer(time: time, input: input)
        due = min(due ?? time, time)
    }

    package func unplan(_ key: String) { timers[key] = nil }

    package func isPlanned(_ key: String) -> Bool { timers[key] != nil }

    // MARK: The beginning and the end

    /// - Returns: whether it was started by this call.
    /// - Throws: `.closed`; what the store throws.
    @discardableResult
    package func start() throws(WormholeError) -> Bool {
        switch life {
        case .new: break
        case .running: return false
        case .closing, .closed: throw .closed
        }
        try prepare()
        after { [self] in
            life = .running
            if connects { emit(.connect) }
        }
        return true
    }

    /// Says goodbye to every peer. Messages that were passed stay in the store.
    package func close(_ done: @escaping () -> Void) {
        switch life {
        case .closing(let others): life = .closing(others + [done])
        case .closed: done()
        case .new, .running:
            life = .closing([done])
            timers = [:]
            for link in links.values.sorted(by: { $0.channel < $1.channel }) { link.close(.goingAway) }
            concludeClosing()
        }
    }

    private func concludeClosing() {
        guard links.isEmpty, case .closing(let done) = life else { return }
        life = .closed
        for tell in done { tell() }
    }

    var isClosed: Bool {
        switch life {
        case .new, .running: false
        case .closing, .closed: true
        }
    }

    func checkOpen() throws(WormholeError) {
        if isClosed { throw .closed }
    }

    /// Asks the store for the identity of this endpoint, and begins a run.
    func prepare() throws(WormholeError) {
        guard identity == nil else { return }
        let identity = try store.identity(proposal: max(configuration.randomNumber(), 1))
        try store.beginRun { configuration.drawEpoch() }
        if case .watch = configuration.role {
            // A watch queues for its phone before the two ever connect.
            _ = try store.resume(.phone, handshake: nil, newEpoch: configuration.drawEpoch())
        }
        let records = try store.transfers()
        after { [self] in
            guard self.identity == nil else { return }
            self.identity = identity
            for record in records { outbox.add(entry(record)) }
        }
    }

    // MARK: Channels

    func link(of channel: ChannelNumber) -> LinkMachine? { links[channel] }

    /// A channel was opened, by either side.
    package func opened(
        _ channel: ChannelNumber, to visitor: TransportPeer, largestDatagram: Int
    ) throws(WormholeError) {
        guard case .running = life, let identity else { return emitAtOnce(.close(channel)) }
        let others = links.values.sorted { $0.channel < $1.channel }
        let strangers = others.filter { link in !current.values.contains { $0 === link } }
        for stranger in strangers.dropLast(EndpointMachine.mostStrangers - 1) { stranger.close(.noHello) }
        if case .watch = configuration.role {
            // A watch has one phone, which connects anew before its old channel is known to be dead.
            for older in others { older.close(.replaced) }
        }
        let link = LinkMachine(
            channel, to: visitor, largestDatagram: largestDatagram, identity: identity, endpoint: self)
        links[channel] = link
        if connects { ownChannel = channel }
        try link.connect(at: now)
        touch(link)
    }

    /// No channel could be opened.
    package func notConnected(_ error: WormholeError) {
        logger.debug("no connection", metadata: ["error": "\(error)"])
        for peer in configuration.role == .watch ? [.phone] : board.peers { note(peer, .noConnection(error)) }
        connectLater(nil)
    }

    fileprivate func ended(_ channel: ChannelNumber, _ error: WormholeError) {
        guard let link = links[channel] else { return }
        if case .datagramTooLong = error { link.close(.protocolFault(.tooLong)) } else { link.transportEnded(error) }
    }

    /// A datagram was not sent.
    package func notSent(on channel: ChannelNumber, _ error: WormholeError) { links[channel]?.notSent(error) }

    /// The store has failed in something that happened on a channel.
    fileprivate func fail(_ channel: ChannelNumber, _ error: WormholeError) {
        guard let link = links[channel] else { return emitAtOnce(.close(channel)) }
        link.finish(.store(error))
    }

    func carried(_ datagram: [UInt8], on channel: ChannelNumber) {
        if channel == ownChannel { delay.carried(datagram.span) }
    }

    private func connectLater(_ end: CloseReason?) {
        guard connects, case .running = life else { return }
        let usual = delay.next()
        plan(
            "connect", at: now + (end.map { pause(after: $0, usually: usual) } ?? usual),
            EndpointInput { machine, _ in machine.emit(.connect) })
    }

    /// The pause after a link that ended for this reason: at least that of the reason, also if no frame has told it.
    private func pause(after reason: CloseReason, usually usual: Microseconds) -> Microseconds {
        if reason.isFinal { return configuration.unwantedPause }
        let goodbye: GoodbyeReason? =
            if case .peerLeft(let goodbye) = reason { goodbye.reason } else { reason.goodbye?.reason }
        return max(usual, goodbye?.pause ?? .zero)
    }

    // MARK: What links report

    /// A link knows its peer now. An older one of the same peer ends.
    func claim(_ peer: PeerIdentity, for link: LinkMachine) {
        let older = current[peer]
        current[peer] = link
        if let older, older !== link { older.close(.replaced) }
    }

    /// A link is open.
    func isOpen(_ peer: PeerIdentity, _ handshake: PeerHandshake) {
        largestBodies[peer] = handshake.largestBody
        reachabilityChanges.append(board.note(peer, saying: handshake.hello, at: now))
        logger.info("peer reachable", metadata: ["peer": "\(peer)"])
    }

    /// A link has ended, whatever becomes of the turn.
    func ended(_ link: LinkMachine, _ end: LinkEnd) {
        links[link.channel] = nil
        emitAtOnce(.close(link.channel))
        logger.info("channel ended", metadata: ["end": "\(end)"])
        let peer = current.first { $0.value === link }?.key
        noteFailure(end, of: peer, from: link.visitor)
        if let peer {
            current[peer] = nil
            note(peer, end.unreachableReason)
            for forgotten in board.forgetUnreachable(keeping: EndpointMachine.mostUnreachablePeers) {
                largestBodies[forgotten] = nil
                deliveries.forget(forgotten)
            }
        } else {
            if case .watch = configuration.role, current[.phone] == nil { note(.phone, end.unreachableReason) }
            noteRefusal(end, of: link.visitor)
        }
        if link.channel == ownChannel {
            ownChannel = nil
            if case .closed(let reason) = end { connectLater(reason) } else { connectLater(nil) }
        }
        concludeClosing()
    }

    private func note(_ peer: PeerIdentity, _ reason: UnreachableReason) {
        if let change = board.note(peer, reason, at: now) { reachabilityChanges.append(change) }
    }

    /// A link that the store has ended leaves a line, also one that had not opened yet.
    private func noteFailure(_ end: LinkEnd, of peer: PeerIdentity?, from visitor: TransportPeer) {
        guard case .store(let error) = end, !isClosed else { return }
        logger.error(
            "a link ended, and is made again: \(error)",
            metadata: peer.map { ["peer": "\($0)"] } ?? .aboutVisitors(["visitor": "\(visitor)"]))
    }

    /// A visitor who was sent away before becoming a peer leaves a line.
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

    // MARK: Peers

    /// Looks for new messages in the store, for a program whose store fills the queues itself.
    package func outgoingChanged(for recipients: Recipients = .everyone) throws(WormholeError) {
        let told = current.keys.filter(recipients.include).sorted()
        guard !told.isEmpty else { return }
        let issued = try store.issued(to: told)
        after { [self] in for peer in told { current[peer]?.learn(issued[peer] ?? IssuedPositions()) } }
    }

    /// Says goodbye to a peer, for a program whose store has forgotten it. If it connects again, it is a new one.
    package func disconnect(_ peer: PeerIdentity) { current[peer]?.close(.goingAway) }

    package func isSynchronized(with peer: PeerIdentity) -> Bool { current[peer]?.isSynchronized ?? false }

    package func reachability(of peer: PeerIdentity) -> PeerReachability {
        let noted = board.reachability(of: peer)
        guard case .reachable(let evidence) = noted, let lastHeard = current[peer]?.lastHeard else { return noted }
        return .reachable(
            PeerReachability.Reachable(since: evidence.since, lastHeard: lastHeard, hello: evidence.hello))
    }

    /// The link to a peer that can be reached now.
    func openLink(to peer: PeerIdentity) throws(WormholeError) -> LinkMachine {
        try checkOpen()
        if board.reachability(of: peer).isReachable, let link = current[peer], link.isOpen { return link }
        switch board.reachability(of: peer) {
        case .unreachable(let evidence): throw .unreachable(evidence.reason.description)
        case .reachable: throw .unreachable(UnreachableReason.connectionLost.description)
        }
    }
}
