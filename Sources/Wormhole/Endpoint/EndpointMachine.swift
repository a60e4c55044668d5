import Logging
import WatchLink

/// The number of a channel. The code that performs the actions of an `EndpointMachine` numbers its channels in the order in
/// which they open.
package typealias ChannelNumber = UInt64

/// An event for an `EndpointMachine`. The machine handles one or more inputs in a turn, which is one transaction of its store.
package struct EndpointInput {
    let act: (EndpointMachine, WatchLink.Instant) throws(WormholeError) -> Void
    /// Called after the turn, with the error that undid the input; nil if the input took effect.
    let finish: (EndpointMachine, WormholeError?) -> Void

    package init(
        _ act: @escaping (EndpointMachine, WatchLink.Instant) throws(WormholeError) -> Void,
        finish: @escaping (EndpointMachine, WormholeError?) -> Void = { _, _ in }
    ) {
        self.act = act
        self.finish = finish
    }

    /// Returns an input for an event of a channel. The channel ends if `act` throws or the turn fails.
    package static func on(
        _ channel: ChannelNumber,
        _ act: @escaping (EndpointMachine, WatchLink.Instant) throws(WormholeError) -> Void
    ) -> EndpointInput {
        EndpointInput(act) { machine, error in if let error { machine.fail(channel, error) } }
    }

    /// Returns an input that does not use the store. `act` runs after the turn, even if the turn fails.
    package static func always(_ act: @escaping (EndpointMachine) -> Void) -> EndpointInput {
        EndpointInput({ _, _ in }, finish: { machine, _ in act(machine) })
    }

    /// - Parameter heldFor: how long the datagram has waited for this turn. The acknowledgement tells the peer how long its
    ///   message was held, including this wait.
    package static func received(
        _ datagram: [UInt8], on channel: ChannelNumber, heldFor: Microseconds = .zero
    ) -> EndpointInput {
        .on(channel) { machine, now throws(WormholeError) in
            machine.carried(datagram, on: channel)
            try machine.links[channel]?.receive(datagram, heldFor: heldFor, at: now)
        }
    }

    package static func ended(_ channel: ChannelNumber, _ error: WormholeError) -> EndpointInput {
        .on(channel) { machine, _ in machine.ended(channel, error) }
    }

    /// Returns an input for the end of a file job. The sender of a complete file is told only after the store has recorded the
    /// file.
    package static func fileDone(_ result: FileJobResult) -> EndpointInput {
        guard case .success(.named(let path)) = result.outcome else { return .always { $0.fileDone(result) } }
        return EndpointInput { machine, _ throws(WormholeError) in
            try machine.store.end(result.job.part.expected.origin, .stored)
        } finish: { machine, error in
            guard let error else { return machine.emitAtOnce(.file(result.job.followed(by: .finish(path)))) }
            // The hash of the file is checked again when the peer offers it over the next link.
            machine.receptions.leave(result.job.part.expected.partName)
            machine.fail(result.job.channel, error)
        }
    }

    package static func sent(on channel: ChannelNumber) -> EndpointInput {
        .on(channel) { machine, _ throws(WormholeError) in try machine.links[channel]?.sent() }
    }
}

package enum EndpointAction: Sendable {
    /// Open a channel to the peer, then report `opened` or `notConnected`.
    case connect
    /// Send the datagram. Report `sent` once the transport has taken it, or `notSent` if the transport fails.
    case send([UInt8], over: ChannelNumber)
    /// Send the datagram only if the transport takes it without waiting. Report nothing.
    case sendAtOnce([UInt8], over: ChannelNumber)
    /// Close the channel, and report nothing more about it.
    case close(ChannelNumber)
    case heard(HeardMessage)
    /// Call the answerer that is registered for the question's name, then report `answered`.
    case answer(PeerQuestion)
    case dropAnswer(PeerQuestion.ID)
    /// Run a file job after the earlier ones, then report `fileDone`.
    case file(FileJob)
}

package protocol EndpointProgram: AnyObject {
    /// Receives the changes of the peers' reachability in the last turn. `EndpointMachine.release` calls this before it returns
    /// the actions.
    func follow(_ changes: [ReachabilityChange])
}

/// The message bridge without transports, threads and clock. Inputs go in, actions come out.
///
/// A turn handles all inputs that have arrived together. `handle` commits them in one transaction. `release` then returns the
/// actions that the caller must perform. If the transaction fails, none of its effects becomes an action, and the machine ends
/// the links that had an event in the turn. Over its next link, a peer sends unacknowledged messages again.
///
/// Calls must not overlap, but any thread may make them.
package final class EndpointMachine {
    package typealias MachineCall =
        @Sendable (@escaping @Sendable (EndpointMachine) throws(WormholeError) -> Void) async -> Void

    private enum Life {
        case new
        case running
        /// The closures run when no link is left.
        case closing([() -> Void])
        case closed
    }

    private struct Timer {
        let time: WatchLink.Instant
        let input: EndpointInput
    }

    static let mostUnreachablePeers = 1_024

    /// The maximum number of channels whose peer has not said hello. If there are more, the oldest of them are closed. Without
    /// this limit, programs that connect and say nothing could use up this process's file descriptors.
    static let mostStrangers = 64

    let store: any MessageStorage
    let fileSystem: FileSystem
    let configuration: WormholeConfiguration
    let logger: Logger
    package let board: ReachabilityBoard
    let receptions: FileReceptions
    /// Runs a closure on the machine in its next turn. Objects that the program holds, such as a `FileTransfer`, use it.
    let callMachine: MachineCall
    private let connects: Bool
    private var delay: ReconnectDelay

    private var life = Life.new
    private var identity: UInt64?
    package private(set) var now = WatchLink.Instant.start
    private(set) var links: [ChannelNumber: LinkMachine] = [:]
    private(set) var current: [PeerIdentity: LinkMachine] = [:]
    var deliveries = DeliveryTracker()
    /// The outgoing file transfers to all peers, oldest first.
    var outbox: [OutboxEntry] = []
    /// The maximum `OutboundMessage.bodySize`, in bytes, on the newest link to each peer. Only peers that have connected
    /// since this endpoint started have an entry.
    private(set) var largestBodies: [PeerIdentity: Int] = [:]
    private var ownChannel: ChannelNumber?

    private(set) var isInTurn = false
    private var actions: [EndpointAction] = []
    private var touched: Set<ChannelNumber> = []
    private var timers: [String: Timer] = [:]
    /// When the caller must call `handle`, even without input; nil for never.
    package private(set) var due: WatchLink.Instant?
    private var reachabilityChanges: [ReachabilityChange] = []
    package var program: (any EndpointProgram)?

    package init(
        connects: Bool, store: any MessageStorage, configuration: WormholeConfiguration, logger: Logger,
        fileSystem: FileSystem = FileSystem(), board: ReachabilityBoard = ReachabilityBoard(),
        receptions: FileReceptions = FileReceptions(),
        callMachine: @escaping MachineCall = { _ in }
    ) {
        self.connects = connects
        self.store = store
        self.configuration = configuration
        self.logger = logger
        self.fileSystem = fileSystem
        self.board = board
        self.receptions = receptions
        self.callMachine = callMachine
        delay = ReconnectDelay(
            shortest: configuration.shortestPause, longest: configuration.longestPause,
            seed: connects ? configuration.randomNumber() : 0)
    }

    // MARK: Turns

    package func handle(_ inputs: [EndpointInput], at now: WatchLink.Instant) {
        self.now = now
        run(inputs + takeDue())
    }

    /// Call after each `handle`. Tells the program about changes of reachability, and lets the links acknowledge and send.
    /// Returns the actions that the caller performs, in order.
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
                    .on(channel) { machine, now throws(WormholeError) in try machine.links[channel]?.pump(at: now) }
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
                // Steps that run after the commit are outside of the turn.
                store.afterCommit { self.isInTurn = false }
                for (index, input) in inputs.enumerated() {
                    do throws(WormholeError) {
                        try store.savepoint { () throws(WormholeError) in try input.act(self, now) }
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
                .on(channel) { machine, now throws(WormholeError) in machine.links[channel]?.timePassed(now) }
            }
    }

    /// Runs a step after the turn is committed, or immediately if no turn is running. The step does not run if the input that
    /// added it fails.
    package func after(_ step: @escaping () -> Void) {
        if isInTurn { store.afterCommit(step) } else { step() }
    }

    func emit(_ action: EndpointAction) { after { [unowned self] in actions.append(action) } }

    func emitAtOnce(_ action: EndpointAction) { actions.append(action) }

    func touch(_ link: LinkMachine) { touched.insert(link.channel) }

    package func plan(_ key: String, at time: WatchLink.Instant, _ input: EndpointInput) {
        timers[key] = Timer(time: time, input: input)
        due = min(due ?? time, time)
    }

    package func unplan(_ key: String) { timers[key] = nil }

    package func isPlanned(_ key: String) -> Bool { timers[key] != nil }

    // MARK: The beginning and the end

    /// Starts the endpoint. Returns false if the endpoint was running already. Throws the errors of the store, or `.closed` if
    /// `close` was called.
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

    /// Says goodbye to every peer, and calls `done` once no link is left. Passed messages stay in the store.
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

    /// Loads this endpoint's identity and its outgoing files from the store, and starts a new epoch for its messages. Later
    /// calls do nothing.
    func prepare() throws(WormholeError) {
        guard identity == nil else { return }
        let identity = try store.identity(proposal: max(configuration.randomNumber(), 1))
        try store.beginRun { configuration.drawEpoch() }
        if case .watch = configuration.role {
            // A watch queues messages for its phone before the two first connect.
            _ = try store.resume(.phone, handshake: nil, newEpoch: configuration.drawEpoch())
        }
        let records = try store.transfers()
        after { [self] in
            guard self.identity == nil else { return }
            self.identity = identity
            for record in records { outbox.append(entry(record)) }
        }
    }

    // MARK: Channels

    package func opened(
        _ channel: ChannelNumber, to visitor: TransportPeer, largestDatagram: Int
    ) throws(WormholeError) {
        guard case .running = life, let identity else { return emitAtOnce(.close(channel)) }
        let others = links.values.sorted { $0.channel < $1.channel }
        let strangers = others.filter { link in !current.values.contains { $0 === link } }
        for stranger in strangers.dropLast(EndpointMachine.mostStrangers - 1) { stranger.close(.noHello) }
        if case .watch = configuration.role {
            // A watch has one phone, which may reconnect before its old channel is known to be dead.
            for older in others { older.close(.replaced) }
        }
        let link = LinkMachine(
            channel, to: visitor, largestDatagram: largestDatagram, identity: identity, endpoint: self)
        links[channel] = link
        if connects { ownChannel = channel }
        try link.connect(at: now)
        touch(link)
    }

    package func notConnected(_ error: WormholeError) {
        logger.debug("no connection", metadata: ["error": "\(error)"])
        for peer in configuration.role == .watch ? [.phone] : board.peers { note(peer, .noConnection(error)) }
        connectLater(nil)
    }

    fileprivate func ended(_ channel: ChannelNumber, _ error: WormholeError) {
        guard let link = links[channel] else { return }
        if case .datagramTooLong = error { link.close(.protocolFault(.tooLong)) } else { link.transportEnded(error) }
    }

    package func notSent(on channel: ChannelNumber, _ error: WormholeError) { links[channel]?.notSent(error) }

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

    /// Returns the pause before the next connection. `reason` says why the last connection ended. The pause is `usual`, unless
    /// the reason demands another.
    private func pause(after reason: CloseReason, usually usual: Microseconds) -> Microseconds {
        if reason.isFinal { return configuration.unwantedPause }
        let goodbye: GoodbyeReason? =
            if case .peerLeft(let goodbye) = reason { goodbye.reason } else { reason.goodbye?.reason }
        return max(usual, goodbye?.pause ?? .zero)
    }

    // MARK: What links report

    func claim(_ peer: PeerIdentity, for link: LinkMachine) {
        let older = current[peer]
        current[peer] = link
        if let older, older !== link { older.close(.replaced) }
    }

    func isOpen(_ peer: PeerIdentity, _ handshake: PeerHandshake) {
        largestBodies[peer] = handshake.largestBody
        reachabilityChanges.append(board.note(peer, saying: handshake.hello, at: now))
        logger.info("peer reachable", metadata: ["peer": "\(peer)"])
    }

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

    private func noteFailure(_ end: LinkEnd, of peer: PeerIdentity?, from visitor: TransportPeer) {
        guard case .store(let error) = end, !isClosed else { return }
        logger.error(
            "a link ended and will be reopened: \(error)",
            metadata: peer.map { ["peer": "\($0)"] } ?? .aboutVisitors(["visitor": "\(visitor)"]))
    }

    /// Logs that a visitor was refused. A visitor is a program or device that has connected but is not a peer yet.
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

    /// Tells the recipients' links that the store has new messages. A program that writes to the store's queues itself must
    /// call this after it has added messages.
    package func outgoingChanged(for recipients: Recipients = .everyone) throws(WormholeError) {
        let told = current.keys.filter(recipients.include).sorted()
        guard !told.isEmpty else { return }
        let issued = try store.issued(to: told)
        after { [self] in for peer in told { current[peer]?.learn(issued[peer] ?? IssuedPositions()) } }
    }

    /// Ends the link to a peer that the program's store has forgotten. If the peer connects again, it is a new peer.
    package func disconnect(_ peer: PeerIdentity) { current[peer]?.close(.goingAway) }

    package func isSynchronized(with peer: PeerIdentity) -> Bool { current[peer]?.session.isSynchronized ?? false }

    package func reachability(of peer: PeerIdentity) -> PeerReachability {
        let noted = board.reachability(of: peer)
        guard case .reachable(let evidence) = noted, let lastHeard = current[peer]?.lastHeard else { return noted }
        return .reachable(
            PeerReachability.Reachable(since: evidence.since, lastHeard: lastHeard, hello: evidence.hello))
    }

    func openLink(to peer: PeerIdentity) throws(WormholeError) -> LinkMachine {
        try checkOpen()
        if board.reachability(of: peer).isReachable, let link = current[peer], link.isOpen { return link }
        switch board.reachability(of: peer) {
        case .unreachable(let evidence): throw .unreachable(evidence.reason.description)
        case .reachable: throw .unreachable(UnreachableReason.connectionLost.description)
        }
    }
}
