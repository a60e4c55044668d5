import Logging
import WatchLink

enum LinkEnd: Equatable, Sendable {
    case transport(WormholeError)
    case closed(CloseReason)
    case store(WormholeError)

    var unreachableReason: UnreachableReason {
        switch self {
        case .transport: .connectionLost
        case .closed(let reason): .closed(reason)
        case .store(.storage(let reason)): .storeFailed(reason)
        case .store(let error): .storeFailed(error.description)
        }
    }
}

/// One channel to one peer. It performs the actions that its `Session` returns.
///
/// The machine gives the transport one datagram at a time. The session counts the datagram as sent from that moment. The peer's
/// answer may arrive before the transport reports the datagram as sent.
final class LinkMachine {
    enum Receipt {
        case nothing
        case sent(LinkDelivery, UInt32)
        case offered(OutboxEntry)
    }

    private enum Outgoing {
        case ready
        /// The transport has a datagram, and has not reported it as sent. If that lasts until this time, the link ends.
        case sending(Receipt, until: WatchLink.Instant)
        /// The transport no longer sends. The link stays until this time, because datagrams of the peer may still arrive.
        case closed(until: WatchLink.Instant)
    }

    /// A message that the store has applied or rejected. The session has not been told yet, so it has not acknowledged the
    /// message.
    struct Applied {
        let header: MessageHeader
        let arrived: WatchLink.Instant
        let heldBefore: Microseconds
        let outcome: ArrivalOutcome
    }

    let channel: ChannelNumber
    let visitor: TransportPeer
    let largestDatagram: Int
    unowned let endpoint: EndpointMachine
    var logger: Logger
    var session: Session
    /// Nil until the peer has said hello.
    var peer: PeerIdentity?
    var exchanges = Exchanges()
    var files = LinkFiles()
    /// The next queued messages to send, already read from the store, lowest sequence first.
    var readAhead: ArraySlice<QueuedMessage> = []
    var applied: [Applied] = []
    private var outgoing = Outgoing.ready
    private var end: LinkEnd?
    private var wake: WatchLink.Instant?

    var store: any MessageStorage { endpoint.store }
    var configuration: WormholeConfiguration { endpoint.configuration }

    init(
        _ channel: ChannelNumber, to visitor: TransportPeer, largestDatagram: Int, identity: UInt64,
        endpoint: EndpointMachine
    ) {
        self.channel = channel
        self.visitor = visitor
        self.largestDatagram = largestDatagram
        self.endpoint = endpoint
        logger = endpoint.logger
        let configuration = endpoint.configuration
        let name = LinkName(utf8: Array(configuration.name.utf8).span)
        // This epoch is a placeholder. The store gives each peer its epoch before the session says hello.
        let identity = LinkIdentity(role: configuration.role, identity: identity, epoch: 1, name: name)
        var limits = LinkLimits(
            largestSDU: UInt32(clamping: max(largestDatagram, Int(LinkLimits.smallestSDU))),
            largestMessage: UInt32(clamping: configuration.largestMessage))
        limits.kinds = configuration.kinds
        session = Session(identity: identity, limits: limits, timing: configuration.timing)
    }

    func connect(at now: WatchLink.Instant) throws(WormholeError) {
        switch configuration.role {
        case .watch:
            let streams = try store.resume(.phone, handshake: nil, newEpoch: configuration.drawEpoch())
            session.connected(
                at: now, maximumSDU: largestDatagram, positions: streams.positions, epoch: streams.epoch)
        case .phone: session.connected(at: now, maximumSDU: largestDatagram)
        }
    }

    // MARK: State

    var isRunning: Bool { end == nil }

    /// When the peer's newest frame arrived; nil unless the link is open.
    var lastHeard: WatchLink.Instant? {
        switch session.reachability {
        case .reachable(let lastHeard): lastHeard
        case .noTransport, .closed, .connecting: nil
        }
    }

    /// Whether the peer has said hello and the link has not ended. Questions to the peer still wait until this side's own
    /// hello is sent.
    var isOpen: Bool { isRunning && session.phase.isOpen }

    var due: WatchLink.Instant? {
        let own: WatchLink.Instant? =
            switch outgoing {
            case .ready: wake
            case .sending(_, let deadline), .closed(let deadline): deadline
            }
        return [own, exchanges.deadline].compactMap(\.self).min()
    }

    // MARK: The end

    func close(_ reason: CloseReason) {
        // A session without a transport has nothing to close.
        guard session.reachability != .noTransport else { return finish(.closed(reason)) }
        let now = endpoint.now
        if isRunning, session.mayTransfer, case .ready = outgoing {
            // Sends the waiting answers about files. A sender that learns that its file is stored does not offer it
            // again.
            while let header = files.takeHeader(), let frame = try? LinkMachine.datagram(header) {
                endpoint.emit(.sendAtOnce(frame, over: channel))
            }
        }
        session.close(reason, at: now)
        if case .sending(let receipt, let deadline) = outgoing {
            outgoing = .sending(receipt, until: min(deadline, now + configuration.timing.helloTimeout))
        }
        endpoint.touch(self)
    }

    func finish(_ end: LinkEnd) {
        guard isRunning else { return }
        self.end = end
        concludeFiles(end)
        let (questions, numbers) = exchanges.end()
        for done in questions { done(.failure(.unreachable(end.unreachableReason.description))) }
        for number in numbers { drop(number) }
        session.disconnected(at: endpoint.now)
        endpoint.ended(self, end)
    }

    /// Ends the link after an error of its transport. If the link was already closing, for example after the peer's goodbye,
    /// ignores `error`, and reports why the link was closing.
    func transportEnded(_ error: WormholeError) {
        switch session.reachability {
        case .closed(let reason): finish(.closed(reason))
        case .noTransport, .connecting, .reachable: finish(.transport(error))
        }
    }

    // MARK: Sending

    func send(_ datagram: [UInt8], _ receipt: Receipt = .nothing) {
        outgoing = .sending(receipt, until: endpoint.now + configuration.timing.supervision)
        endpoint.carried(datagram, on: channel)
        endpoint.emit(.send(datagram, over: channel))
    }

    func sent() throws(WormholeError) {
        guard case .sending(let receipt, _) = outgoing else { return }
        outgoing = .ready
        endpoint.touch(self)
        guard let peer else { return }
        switch receipt {
        case .nothing: break
        case .sent(let delivery, let number):
            endpoint.after { [endpoint] in endpoint.deliveries.sent(delivery, number, to: peer) }
        case .offered(let entry): try endpoint.begun(entry)
        }
    }

    func notSent(_ error: WormholeError) {
        guard case .sending = outgoing else { return }
        guard error == .closed else { return transportEnded(error) }
        // A closing peer may have sent its reason, which can still arrive.
        outgoing = .closed(until: endpoint.now + configuration.timing.supervision)
    }

    func timePassed(_ now: WatchLink.Instant) {
        expireExchanges(at: now)
        endpoint.touch(self)
        switch outgoing {
        case .ready: break
        // The peer has taken no datagram for so long that it counts as dead.
        case .sending(_, let deadline): if deadline <= now { finish(.closed(.silent)) }
        case .closed(let deadline): if deadline <= now { transportEnded(.closed) }
        }
    }

    func settle(at now: WatchLink.Instant) {
        for message in applied {
            session.applied(
                message.header.delivery, sequence: message.header.sequence,
                heldFor: message.heldBefore + (now - message.arrived),
                outcome: message.outcome.acknowledged, at: now)
        }
        applied = []
    }

    func pump(at now: WatchLink.Instant) throws(WormholeError) {
        writeFiles()
        if files.haveChanged { try updateFiles() }
        while isRunning, case .ready = outgoing {
            let action = session.next(at: now)
            // Questions and answers go before everything except the session's control frames.
            if action.letsExchangesGoFirst, session.mayExchange, let frame = exchanges.takeFrame() {
                send(frame)
                continue
            }
            switch action {
            case .transmit(let request):
                let frame = session.frame(for: request)
                let datagram = try LinkMachine.datagram { writer throws(CBORError) in try frame.encode(into: &writer) }
                session.sent(control: frame, at: now)
                send(datagram)
            case .sendQueued(let sequence): try sendQueued(sequence, at: now)
            case .sendLatest(let revision): try sendLatest(after: revision, at: now)
            case .close(let reason): finish(.closed(reason))
            case .wait(let deadline):
                guard try !sendFile(at: now) else { continue }
                wake = [deadline, session.mayTransfer ? files.due(after: now) : nil].compactMap(\.self).min()
                return
            }
        }
    }
}

extension SessionAction {
    fileprivate var letsExchangesGoFirst: Bool {
        switch self {
        case .sendQueued, .sendLatest, .wait: true
        case .transmit, .close: false
        }
    }
}
