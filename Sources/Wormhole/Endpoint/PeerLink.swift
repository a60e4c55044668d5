import HostSystem
import Logging
import WatchLink

enum LinkEnd: Equatable, Sendable {
    /// The transport gave up.
    case transport(WormholeError)
    /// One of the two sides closed the link.
    case closed(CloseReason)
    case store(WormholeError)

    /// The end as the peer's reachability reports it.
    var unreachableReason: UnreachableReason {
        switch self {
        case .transport: .connectionLost
        case .closed(let reason): .closed(reason)
        case .store(.storage(let reason)): .storeFailed(reason)
        case .store(let error): .storeFailed(error.description)
        }
    }
}

/// One channel to one peer: the thin shell around a `Session`, which decides everything.
///
/// Two tasks work on it. One receives datagrams, one at a time, and applies their messages: on the thread that they arrive
/// on, where the transport has one, until a store is to be waited for. The other performs the session's next action. A slow
/// store or transport delays only the task that waits for it. What asks or answers sends its frame itself where nothing is
/// to go before it.
final actor PeerLink {
    /// The peer at the other end, once it has said hello.
    enum PeerState {
        case stranger
        case peer(PeerIdentity)
    }

    /// What the sending task is doing.
    private enum SendLoop {
        /// Performing the session's next action, or waiting until something happens.
        case asking
        /// A datagram waits for room in the transport, until this time at the latest.
        case sending(until: WatchLink.Instant)
    }

    /// Whether something has happened since the sending task last asked the session.
    private enum News {
        case none
        case waiting
    }

    /// Whether the channel has ended.
    private enum Lifecycle {
        case running
        /// It ends for this reason; the store may still be applying a message.
        case ending(LinkEnd)
        /// It has ended, and no more of its messages are applied.
        case ended(LinkEnd)

        var isEnded: Bool {
            switch self {
            case .running, .ending: false
            case .ended: true
            }
        }
    }

    private enum Timer {
        case none
        case set(WatchLink.Instant, Task<Void, Never>)
    }

    let transport: any DatagramTransport
    let store: any MessageStorage
    let endpoint: Wormhole
    let configuration: WormholeConfiguration
    let clock: any LinkClock
    var logger: Logger
    var session: Session
    var peerState = PeerState.stranger
    var exchanges = Exchanges()
    var files = LinkFiles()
    var outgoing = LinkOutgoing()
    private var sendLoop = SendLoop.asking
    private let news = WaitableState(News.none)
    private let lifecycle = WaitableState(Lifecycle.running)
    private var timer = Timer.none

    init(
        _ transport: any DatagramTransport, identity: UInt64, endpoint: Wormhole, store: any MessageStorage,
        configuration: WormholeConfiguration, clock: any LinkClock, logger: Logger
    ) {
        self.transport = transport
        self.endpoint = endpoint
        self.store = store
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        let name = LinkName(utf8: Array(configuration.name.utf8).span)
        // The epoch is each peer's own: it comes from the store before the session says hello.
        let identity = LinkIdentity(role: configuration.role, identity: identity, epoch: 1, name: name)
        var limits = LinkLimits(
            largestSDU: UInt32(clamping: max(transport.largestDatagram, Int(LinkLimits.smallestSDU))),
            largestMessage: UInt32(clamping: configuration.largestMessage))
        limits.kinds = configuration.kinds
        session = Session(identity: identity, limits: limits, timing: configuration.timing)
    }

    func run() async -> LinkEnd {
        do throws(WormholeError) {
            try await connect()
            await withDiscardingTaskGroup { group in
                group.addTask(executorPreference: transport.arrivals) { await self.receiveAll() }
                group.addTask { await self.sendAll() }
            }
        } catch {
            finish(.store(error))
        }
        session.disconnected(at: clock.now)
        // The next link goes on with what they have written.
        for writer in files.writers.values { await writer.value }
        let end = conclude()
        await concludeFiles(end)
        return end
    }

    /// Says goodbye and closes. `run` returns when that is done.
    func close(_ reason: CloseReason) {
        let now = clock.now
        // Before the session has a transport it has nothing to close.
        guard session.reachability != .noTransport else { return finish(.closed(reason)) }
        sayWhatWaits()
        session.close(reason, at: now)
        if case .sending(let deadline) = sendLoop {
            let sooner = min(deadline, now + configuration.timing.helloTimeout)
            sendLoop = .sending(until: sooner)
            setTimer(sooner)
        }
        wakeSender()
    }

    /// Says what waits of files, without waiting for room: who hears that a file is stored does not offer it again.
    private func sayWhatWaits() {
        guard case .asking = sendLoop, isRunning, session.mayTransfer else { return }
        while let header = files.takeHeader(), let frame = try? PeerLink.datagram(header) {
            guard (try? transport.sendAtOnce(frame)) == true else { return }
        }
    }

    /// Returns once `run` has ended, so that no more messages of this channel are applied.
    func waitForEnd() async {
        await lifecycle.waitEvenIfCancelled { $0.isEnded }
    }

    /// When the newest frame of the peer arrived, while messages flow.
    var lastHeard: WatchLink.Instant? {
        switch session.reachability {
        case .reachable(let lastHeard): lastHeard
        case .noTransport, .closed, .connecting: nil
        }
    }

    /// Whether messages flow; what is asked while our hello is still owed goes out behind it. A link that is about to end has
    /// told everybody who waits already.
    var isOpen: Bool { isRunning && session.phase.isOpen }

    /// Whether everything that either side has issued is applied on the other.
    var isSynchronized: Bool { session.isSynchronized }

    private func connect() async throws(WormholeError) {
        switch configuration.role {
        case .watch:
            let streams = try await store.resume(.phone, handshake: nil, newEpoch: configuration.drawEpoch())
            session.connected(
                at: clock.now, maximumSDU: transport.largestDatagram, positions: streams.positions,
                epoch: streams.epoch)
        case .phone: session.connected(at: clock.now, maximumSDU: transport.largestDatagram)
        }
    }

    /// A peer that has said goodbye closes the transport next, and its goodbye is the better reason.
    func endOfTransport(_ error: WormholeError) -> LinkEnd {
        switch session.reachability {
        case .closed(let reason): .closed(reason)
        case .noTransport, .connecting, .reachable: .transport(error)
        }
    }

    private func sendAll() async {
        while isRunning {
            do throws(WormholeError) {
                let action = session.next(at: clock.now)
                // A question and its answer wait for nothing but the session's own frames.
                if action.letsExchangesGoFirst, session.mayExchange, let frame = exchanges.takeFrame() {
                    _ = await send(frame)
                    continue
                }
                switch action {
                case .transmit(let request): try await transmit(session.frame(for: request))
                case .sendQueued(let sequence): try await sendQueued(sequence)
                case .sendLatest(let revision): try await sendLatest(after: revision)
                case .close(let reason): finish(.closed(reason))
                case .wait(let deadline):
                    if let frame = try await takeFileFrame() {
                        if await send(frame.bytes) { await sent(frame) }
                    } else {
                        await wait(until: earliest(deadline))
                    }
                }
            } catch {
                finish(.store(error))
            }
        }
    }

    /// Sends a datagram; false where the transport is closed, or was closed while this waited for room.
    func send(_ datagram: [UInt8]) async -> Bool {
        let deadline = clock.now + configuration.timing.supervision
        sendLoop = .sending(until: deadline)
        setTimer(deadline)
        do throws(WormholeError) {
            try await transport.send(datagram)
            sendLoop = .asking
            return isRunning
        } catch {
            // A peer that closes may have given its reason: the receiving task reads on to the end, and ends the channel.
            if error == .closed, isRunning {
                sendLoop = .asking
                await wait(until: deadline)
            } else {
                finish(endOfTransport(error))
            }
            return false
        }
    }
}

extension PeerLink {
    var isRunning: Bool {
        switch lifecycle.value {
        case .running: !Task.isCancelled
        case .ending, .ended: false
        }
    }

    /// How it ends or has ended; nil while it runs.
    var end: LinkEnd? {
        switch lifecycle.value {
        case .running: nil
        case .ending(let end), .ended(let end): end
        }
    }

    /// Ends the channel; the first of several reasons counts.
    func finish(_ end: LinkEnd) {
        guard case .running = lifecycle.value else { return }
        lifecycle.change { $0 = .ending(end) }
        transport.close()
        if case .set(_, let task) = timer { task.cancel() }
        timer = .none
        exchanges.end(.unreachable(end.unreachableReason.description))
        files.end()
        news.change { $0 = .waiting }
    }

    private func conclude() -> LinkEnd {
        finish(endOfTransport(.closed))
        switch lifecycle.value {
        case .ending(let end):
            lifecycle.change { $0 = .ended(end) }
            return end
        case .running, .ended: preconditionFailure("a channel that was finished is ending")
        }
    }

    /// Makes the sending task ask the session once more, unless there is nothing to send before some time.
    func wakeSender() {
        if case .asking = sendLoop, isRunning, !exchanges.hasFrames, files.isIdle(at: clock.now) {
            switch session.next(at: clock.now) {
            case .wait(let deadline): return earliest(deadline).map(setTimer) ?? ()
            case .close(let reason): return finish(.closed(reason))
            case .transmit, .sendQueued, .sendLatest: break
            }
        }
        news.change { $0 = .waiting }
    }

    /// When the sending task is to be woken, with what files wait for.
    private func earliest(_ deadline: WatchLink.Instant?) -> WatchLink.Instant? {
        [deadline, session.mayTransfer ? files.due(after: clock.now) : nil].compactMap { $0 }.min()
    }

    /// Sends a frame of an exchange: at once, on the caller's thread, where nothing goes before it and there is room, and
    /// otherwise by the sending task.
    func post(_ frame: [UInt8]) {
        if case .asking = sendLoop, isRunning, !exchanges.hasFrames, session.mayExchange {
            let action = session.next(at: clock.now)
            if case .close(let reason) = action { return finish(.closed(reason)) }
            // Where this fails, the sending task fails as well, and knows what follows.
            if action.letsExchangesGoFirst, (try? transport.sendAtOnce(frame)) == true { return }
        }
        exchanges.append(frame)
        wakeSender()
    }

    private func wait(until deadline: WatchLink.Instant?) async {
        if let deadline { setTimer(deadline) }
        _ = await news.wait { news in
            switch news {
            case .none: return Void?.none
            case .waiting:
                news = .none
                return ()
            }
        }
    }

    /// Wakes the sending task at `deadline`, and gives up exchanges whose time is over by then. A timer that is set for earlier
    /// stays: it wakes the task once too often, and the next wait sets another.
    func setTimer(_ deadline: WatchLink.Instant) {
        if case .set(let earlier, let task) = timer {
            guard deadline < earlier else { return }
            task.cancel()
        }
        timer = .set(
            deadline,
            Task { [clock] in
                guard (try? await clock.sleep(until: deadline)) != nil else { return }
                self.timerFired(deadline)
            })
    }

    private func timerFired(_ deadline: WatchLink.Instant) {
        guard case .set(deadline, _) = timer else { return }
        timer = .none
        expireExchanges()
        guard case .sending(let lostAt) = sendLoop else { return wakeSender() }
        if clock.now >= lostAt {
            // The peer has received nothing for so long that it counts as dead. The session cannot decide that: the task
            // that asks it waits for room.
            finish(.closed(.silent))
        } else {
            setTimer(lostAt)
        }
    }
}

extension SessionAction {
    /// Whether the frames of exchanges go before it.
    fileprivate var letsExchangesGoFirst: Bool {
        switch self {
        case .sendQueued, .sendLatest, .wait: true
        case .transmit, .close: false
        }
    }
}
