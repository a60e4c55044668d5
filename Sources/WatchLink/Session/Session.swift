/// One side of a link. It takes datagrams and times, returns events and actions, and does no input or output.
///
/// A watch and a phone use the same type. A session stores the numbers of messages, but no messages. The caller numbers this
/// side's messages and must store them at least until the peer acknowledges them.
///
/// The caller must call `connected`, then `receive` for every datagram. After every call, and at the time in `.wait`, the
/// caller must call `next(at:)` and perform the action, until the action is `.wait`. A call that has no meaning in the current
/// phase does nothing. No bytes from the peer make the session trap.
package struct Session: Sendable {
    package internal(set) var identity: LinkIdentity
    package let limits: LinkLimits
    package let timing: LinkTiming
    package internal(set) var positions = StreamPositions()
    package internal(set) var phase = SessionPhase.disconnected
    var progress = LinkProgress()

    package init(identity: LinkIdentity, limits: LinkLimits, timing: LinkTiming = LinkTiming()) {
        self.identity = identity
        self.limits = limits
        self.timing = timing
    }

    /// Turns this into a new session with another identity. It changes in place, because a second session would take too much
    /// of a device's stack.
    @inline(never)
    package mutating func restart(as identity: LinkIdentity) {
        self.identity = identity
        positions = StreamPositions()
        phase = .disconnected
        progress = LinkProgress()
    }

    /// The peer's hello; nil unless the link is open.
    package var peer: PeerHello? { phase.peer }

    /// The peer's reachability, as of the last call of `next(at:)`.
    package var reachability: Reachability {
        switch phase {
        case .disconnected: .noTransport
        case .awaitingHello, .awaitingDecision: .connecting
        case .open: .reachable(lastHeard: progress.probe.heard)
        case .leaving(let reason, _), .closing(let reason), .closed(let reason): .closed(reason)
        }
    }

    /// Whether the link is open and both sides are in sync. In sync means: the peer has acknowledged everything that we issued,
    /// and we have applied everything that the peer had issued when it sent its hello.
    package var isSynchronized: Bool {
        guard let peer = phase.peer else { return false }
        return positions.queuedAcknowledged >= positions.queuedIssued
            && positions.latestAcknowledged >= positions.latestIssued
            && positions.queuedApplied >= peer.queuedIssued && positions.latestApplied >= peer.latestIssued
    }

    /// The maximum size in bytes of a message body, name included, that the peer and the transport accept; nil unless the link
    /// is open. If a queued message is longer, the caller must send a frame without a value instead.
    package var largestBody: Int? {
        guard let peer = phase.peer else { return nil }
        let frame = min(progress.maximumSDU, peer.limits.largestSDU)
        let header = MessageHeader.largestSize(from: identity.role)
        let body = min(frame &- UInt32(truncatingIfNeeded: header), peer.limits.largestMessage)
        return Int(truncatingIfNeeded: min(body, 0x7FFF_FFFF))
    }

    func ownHello(rowsCheck: UInt32?, floorOrigin: UInt32?) -> Hello {
        var hello = Hello(role: identity.role, identity: identity.identity, epoch: identity.epoch, limits: limits)
        hello.name = identity.name
        if let rowsCheck { hello.report = .rows(check: rowsCheck) }
        if case .owed(let localTime, let lost) = progress.greeting {
            hello.localTime = localTime
            if lost > 0 { hello.report = .lost(messages: lost) }
        }
        hello.knownEpoch = positions.peerEpoch
        hello.queuedApplied = positions.queuedApplied
        hello.latestApplied = positions.latestApplied
        hello.queuedIssued = positions.queuedIssued
        hello.latestIssued = positions.latestIssued
        hello.queuedFloor = positions.queuedAcknowledged
        hello.floorOrigin = positions.queuedAcknowledged == 0 ? nil : floorOrigin
        return hello
    }
}

package enum Reachability: Equatable, Sendable, BitwiseCopyable {
    case noTransport
    /// The session has closed the link for this reason, or is closing it.
    case closed(CloseReason)
    case connecting
    /// The link is open. At the last call of `next(at:)`, the peer's last frame was younger than
    /// `LinkTiming.supervision`.
    case reachable(lastHeard: Instant)
}

extension Session {
    /// Call when a transport has come up. The session discards the previous connection.
    /// - Parameters:
    ///   - maximumSDU: the maximum size in bytes of a datagram on this transport. Below `LinkLimits.smallestSDU` the link
    ///     closes at once.
    ///   - positions: the stored positions of both sides' messages. A phone passes them to `accept` instead, because it does
    ///     not know the watch yet.
    ///   - epoch: a new epoch for our messages, not 0; nil keeps the present one.
    package mutating func connected(
        at now: Instant, maximumSDU: Int, positions: StreamPositions = StreamPositions(), epoch: UInt32? = nil
    ) {
        begin(with: positions, epoch: epoch)
        let size = UInt32(truncatingIfNeeded: min(max(maximumSDU, 0), 0x7FFF_FFFF))
        progress = LinkProgress(maximumSDU: size, at: now)
        phase =
            size < LinkLimits.smallestSDU
            ? .closing(.transportTooSmall) : .awaitingHello(until: now + timing.helloTimeout)
    }

    /// On a phone, answers a watch's hello after `receive` has returned `.helloArrived`. If `positions` do not `agree` with the
    /// hello, the caller must first choose a new random epoch, and pass it here.
    /// - Parameters:
    ///   - epoch: the epoch of our messages to this watch, not 0; nil for the epoch of our identity.
    ///   - localTime: the wearer's local time in seconds since 1970; nil if unknown.
    ///   - lost: how many of the watch's messages the phone applied and then lost.
    /// - Returns: `.opened`; `.closed(.historyLost)` if the positions do not agree; or `.none` if no hello waits for an answer.
    @discardableResult
    package mutating func accept(
        _ positions: StreamPositions, epoch: UInt32? = nil, localTime: UInt32? = nil, lost: UInt32 = 0,
        at now: Instant
    ) -> SessionEvent {
        switch phase {
        case .awaitingDecision(let hello):
            begin(with: positions, epoch: epoch)
            return open(hello, greeting: .owed(localTime: localTime, lost: lost), at: now)
        case .disconnected, .awaitingHello, .open, .leaving, .closing, .closed: return .none
        }
    }

    /// Begins to close the link. The next actions send the goodbye, if `reason` has one, and close the transport.
    package mutating func close(_ reason: CloseReason, at now: Instant) {
        switch phase {
        case .awaitingHello, .awaitingDecision, .open:
            phase = reason.goodbye == nil ? .closing(reason) : .leaving(reason, until: now + timing.helloTimeout)
        case .disconnected, .leaving, .closing, .closed: break
        }
    }

    /// Call when the transport is gone, whichever side closed it. The session keeps `positions`.
    package mutating func disconnected(at now: Instant) {
        phase = .disconnected
    }

    private mutating func begin(with positions: StreamPositions, epoch: UInt32?) {
        if let epoch {
            precondition(epoch != 0, "no stream has epoch 0")
            identity.epoch = epoch
        }
        self.positions = positions
    }

    /// Opens the link, or closes it if the hello shows that we have lost messages.
    @inline(never)
    mutating func open(_ hello: PeerHello, greeting: Greeting, at now: Instant) -> SessionEvent {
        guard positions.agree(with: hello, epoch: identity.epoch) else { return leave(.historyLost, at: now) }
        positions.resume(hello, epoch: identity.epoch)
        progress.open(greeting: greeting, resuming: positions, at: now)
        phase = .open(hello)
        return .opened(hello)
    }

    mutating func leave(_ reason: CloseReason, at now: Instant) -> SessionEvent {
        close(reason, at: now)
        return .closed(reason)
    }
}

extension Session {
    /// Takes a whole datagram. If a datagram is too long for the caller's buffer, the caller must call
    /// `close(.protocolFault(.tooLong))` instead.
    @inline(never)
    package mutating func receive(_ sdu: Span<UInt8>, at now: Instant) -> SessionEvent {
        guard !sdu.isEmpty, phase.isListening else { return .none }
        progress.probe.heard(at: now)
        guard sdu.count <= Int(truncatingIfNeeded: min(limits.largestSDU, 0x7FFF_FFFF)) else {
            return fault(.tooLong, at: now)
        }
        let kind = FrameKind(rawValue: sdu[0])
        if kind == .latest || kind == .queued { return receiveMessage(sdu, at: now) }
        if kind == .interactive || kind == .reply { return receiveExchange(sdu, at: now) }
        if kind == .complication && limits.kinds.include(.complications) { return receiveMessage(sdu, at: now) }
        if kind == .file && limits.kinds.include(.files) {
            return phase.isOpen ? .file : fault(.unexpectedFrame, at: now)
        }
        guard kind.isControl else { return fault(.unsupported, at: now) }
        if kind == .hello, let closed = refuseVersion(sdu, at: now) { return closed }
        guard sdu.count <= LinkLimits.longestControlFrame else { return fault(.tooLong, at: now) }
        do {
            return receive(try ControlFrame(sdu), at: now)
        } catch {
            return fault(.malformedFrame, at: now)
        }
    }

    mutating func fault(_ fault: ProtocolFault, at now: Instant) -> SessionEvent {
        leave(.protocolFault(fault), at: now)
    }

    /// Refuses a hello of another version. Only the version field means the same in every version, so it is checked before the
    /// rest is read.
    @inline(never)
    private mutating func refuseVersion(_ sdu: Span<UInt8>, at now: Instant) -> SessionEvent? {
        var reader = CBORReader(controlFrame: sdu)
        guard let version = try? Hello.version(body: &reader), version != Hello.version else { return nil }
        return leave(.otherVersion(peer: version), at: now)
    }

    @inline(never)
    private mutating func receive(_ frame: ControlFrame, at now: Instant) -> SessionEvent {
        switch frame {
        case .hello(let hello): return receive(hello, at: now)
        case .goodbye(let goodbye):
            let reason = CloseReason(hearing: goodbye)
            phase = .closing(reason)
            return .closed(reason)
        case .ping(let number):
            guard phase.isOpen else { return fault(.unexpectedFrame, at: now) }
            progress.probe.unansweredPing = number
            return .none
        case .pong: return phase.isOpen ? .none : fault(.unexpectedFrame, at: now)
        case .acknowledgement(let acknowledgement):
            guard phase.isOpen else { return fault(.unexpectedFrame, at: now) }
            guard positions.acknowledge(acknowledgement) else { return fault(.acknowledgedUnsent, at: now) }
            progress.outgoing.acknowledged(positions)
            return .acknowledged(acknowledgement)
        }
    }

    @inline(never)
    private mutating func receive(_ hello: Hello, at now: Instant) -> SessionEvent {
        switch phase {
        case .awaitingHello:
            guard hello.role != identity.role else { return fault(.sameRole, at: now) }
            switch identity.role {
            case .watch: return open(hello, greeting: progress.greeting, at: now)
            case .phone:
                phase = .awaitingDecision(hello)
                return .helloArrived(hello)
            }
        case .awaitingDecision, .open: return fault(.unexpectedFrame, at: now)
        case .disconnected, .leaving, .closing, .closed: return .none
        }
    }

    @inline(never)
    private mutating func receiveMessage(_ sdu: Span<UInt8>, at now: Instant) -> SessionEvent {
        guard phase.isOpen else { return fault(.unexpectedFrame, at: now) }
        let header: MessageHeader
        do {
            header = try MessageHeader(sdu)
        } catch {
            return fault(error == .unexpectedKind ? .unsupported : .malformedFrame, at: now)
        }
        guard sdu.count &- header.encodedSize <= Int(truncatingIfNeeded: min(limits.largestMessage, 0x7FFF_FFFF)) else {
            return fault(.tooLong, at: now)
        }
        switch progress.incoming.receive(header) {
        case .new: return .message(header)
        case .duplicate: return .duplicate
        case .gap: return fault(.sequenceGap, at: now)
        }
    }
}

extension Session {
    /// Returns what the caller has to do next. The caller must first pass all arrived datagrams to `receive`. Otherwise the
    /// session could close the link because of silence while frames of the peer wait unread.
    @inline(never)
    package mutating func next(at now: Instant) -> SessionAction {
        switch phase {
        case .disconnected, .closed, .awaitingDecision: return .wait(until: nil)
        case .awaitingHello(let deadline):
            if now >= deadline { return closeNow(.noHello) }
            switch (identity.role, progress.greeting) {
            case (.watch, .owed): return .transmit(.hello)
            case (.watch, .sent), (.phone, _): return .wait(until: deadline)
            }
        case .open(let peer):
            let window = UInt32(min(peer.limits.window, LinkLimits.largestWindow))
            let action = progress.nextAction(positions, window: window, timing, at: now)
            if case .close(let reason) = action { return closeNow(reason) }
            return action
        case .leaving(let reason, let deadline):
            guard now < deadline, let goodbye = reason.goodbye else { return closeNow(reason) }
            return progress.lastAction(goodbye)
        case .closing(let reason): return closeNow(reason)
        }
    }

    private mutating func closeNow(_ reason: CloseReason) -> SessionAction {
        phase = .closed(reason)
        return .close(reason)
    }

    /// Makes the frame that a `.transmit` asks for, from the present state.
    /// - Parameters:
    ///   - rowsCheck: the checksum of a watch's rows; nil while the watch has waiting messages, and on a phone.
    ///   - floorOrigin: the epoch in which a watch issued its last acknowledged message; nil if unknown, and on a phone.
    @inline(never)
    package func frame(
        for request: ControlRequest, rowsCheck: UInt32? = nil, floorOrigin: UInt32? = nil
    ) -> ControlFrame {
        switch request {
        case .hello: .hello(ownHello(rowsCheck: rowsCheck, floorOrigin: floorOrigin))
        case .goodbye(let goodbye): .goodbye(goodbye)
        case .ping(let number): .ping(number)
        case .pong(let number): .pong(number)
        case .acknowledgement: .acknowledgement(progress.incoming.acknowledgement(positions, rowsCheck: rowsCheck))
        }
    }

    /// Call when the transport has taken the frame of a `.transmit`.
    @inline(never)
    package mutating func sent(control frame: ControlFrame, at now: Instant) {
        switch frame {
        case .hello: progress.greeting = .sent
        case .goodbye:
            if case .leaving(let reason, _) = phase { phase = .closing(reason) }
        case .ping(let number): progress.probe.lastPing = (number, now)
        case .pong(let number): progress.probe.answeredPing(number)
        case .acknowledgement(let acknowledgement): progress.incoming.sent(acknowledgement, positions)
        }
    }

    /// Call when the transport has taken the frame of a `.sendQueued` or `.sendLatest`. `sequence` is the sequence of the
    /// queued message, or the revision of the latest value.
    package mutating func sent(_ delivery: LinkDelivery, sequence: UInt32, at now: Instant) {
        guard phase.isOpen else { return }
        progress.outgoing.sent(delivery, sequence: sequence, positions)
    }

    /// Call if no latest value up to this revision is still to be sent. The session then counts all latest values up to this
    /// revision as acknowledged.
    package mutating func skipped(latestUpTo revision: UInt32) {
        guard phase.isOpen, progress.outgoing.latestSent <= positions.latestAcknowledged,
            revision <= positions.latestIssued
        else { return }
        positions.latestAcknowledged = max(positions.latestAcknowledged, revision)
        progress.outgoing.acknowledged(positions)
    }

    /// Call when queued messages up to this sequence are stored and may be sent.
    package mutating func issued(queuedUpTo sequence: UInt32) {
        positions.queuedIssued = max(positions.queuedIssued, sequence)
    }

    /// Call when latest values up to this revision are stored and may be sent.
    package mutating func issued(latestUpTo revision: UInt32) {
        positions.latestIssued = max(positions.latestIssued, revision)
    }

    /// Call when the message of a `.message` is durably applied, or rejected. All earlier messages of the same delivery count
    /// as done too. `heldFor` is the time from the message's arrival until its effect was durable.
    package mutating func applied(
        _ delivery: LinkDelivery, sequence: UInt32, heldFor: Microseconds = .zero, outcome: ApplyOutcome = .applied,
        at now: Instant
    ) {
        switch delivery {
        case .queued:
            guard sequence > positions.queuedApplied else { return }
            positions.queuedApplied = sequence
        case .latest:
            guard sequence > positions.latestApplied else { return }
            positions.latestApplied = sequence
        }
        progress.incoming.finished(delivery, sequence: sequence, heldFor: heldFor, outcome: outcome)
    }
}

extension Session {
    /// Returns the number of a new exchange; nil if the link is not open or the peer takes no interactive messages.
    package mutating func ask() -> UInt32? {
        guard case .open(let peer) = phase, peer.limits.kinds.include(.interactive) else { return nil }
        return progress.exchanges.ask()
    }

    /// Whether the caller may send interactive messages and replies. True if the link is open and our hello is sent.
    package var mayExchange: Bool {
        switch progress.greeting {
        case .sent: phase.isOpen
        case .owed: false
        }
    }

    @inline(never)
    mutating func receiveExchange(_ sdu: Span<UInt8>, at now: Instant) -> SessionEvent {
        guard limits.kinds.include(.interactive) else { return fault(.unsupported, at: now) }
        guard phase.isOpen else { return fault(.unexpectedFrame, at: now) }
        do throws(CBORError) {
            return FrameKind(rawValue: sdu[0]) == .interactive
                ? receive(try InteractiveHeader(sdu), length: sdu.count, at: now)
                : receive(try ReplyHeader(sdu), at: now)
        } catch {
            return fault(error == .unexpectedKind ? .unsupported : .malformedFrame, at: now)
        }
    }

    private mutating func receive(_ header: InteractiveHeader, length: Int, at now: Instant) -> SessionEvent {
        guard length &- InteractiveHeader.size <= Int(truncatingIfNeeded: min(limits.largestMessage, 0x7FFF_FFFF))
        else {
            return fault(.tooLong, at: now)
        }
        guard progress.exchanges.hear(header.number) else { return fault(.sequenceGap, at: now) }
        return .interactive(header)
    }

    private mutating func receive(_ header: ReplyHeader, at now: Instant) -> SessionEvent {
        switch progress.exchanges.reply(header.number) {
        case .first: .reply(header)
        case .old: .none
        case .unasked: fault(.unaskedReply, at: now)
        }
    }
}

extension Session {
    /// Whether the caller may send file frames. True if the link is open, our hello is sent, and both sides take files.
    package var mayTransfer: Bool {
        mayExchange && limits.kinds.include(.files) && phase.peer?.limits.kinds.include(.files) ?? false
    }

    /// The maximum size in bytes of a frame that the peer and the transport accept; nil unless the link is open.
    package var largestFrame: Int? {
        guard let peer = phase.peer else { return nil }
        return Int(truncatingIfNeeded: min(min(progress.maximumSDU, peer.limits.largestSDU), 0x7FFF_FFFF))
    }
}
