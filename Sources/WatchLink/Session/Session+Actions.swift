extension Session {
    /// What the shell has to do next. Called again until it says `.wait`.
    ///
    /// What has arrived is handed to `receive` before, or a peer whose sign of life waits unread, after the program was stopped for a
    /// while, counts as silent.
    public mutating func next(at now: Instant) -> SessionAction {
        switch task(at: now) {
        case .transmit(let request): .transmit(frame(for: request))
        case .sendQueued(let sequence): .sendQueued(sequence: sequence)
        case .sendLatest(let revision): .sendLatest(after: revision)
        case .close(let reason): .close(reason)
        case .wait(let until): .wait(until: until)
        }
    }

    /// The same as `next(at:)` for a shell that makes the frame itself, with `frame(for:)`, just before it sends it: an action
    /// has room for the longest frame, and a device's stack has not.
    @inline(never)
    public mutating func task(at now: Instant) -> SessionTask {
        switch phase {
        case .disconnected, .closed, .awaitingDecision: return .wait(until: nil)
        case .awaitingHello(let deadline):
            if now >= deadline { return closeNow(.noHello) }
            return identity.role == .watch && greeting == .owed ? .transmit(.hello) : .wait(until: deadline)
        case .open(let peer):
            return taskWhileOpen(window: UInt32(min(peer.limits.window, LinkLimits.largestWindow)), at: now)
        case .leaving(let reason, let deadline): return taskWhileLeaving(reason, until: deadline, at: now)
        case .closing(let reason): return closeNow(reason)
        }
    }

    /// The frame that a task asks for, as of now.
    @inline(never)
    public func frame(for request: ControlRequest) -> ControlFrame {
        switch request {
        case .hello: .hello(ownHello)
        case .goodbye(let goodbye): .goodbye(goodbye)
        case .ping(let number): .ping(number)
        case .pong(let number): .pong(number)
        case .acknowledgement: .acknowledgement(incoming.acknowledgement(positions))
        }
    }

    private mutating func taskWhileLeaving(
        _ reason: CloseReason, until deadline: Instant, at now: Instant
    ) -> SessionTask {
        guard now < deadline, let goodbye = reason.goodbye else { return closeNow(reason) }
        // Whoever leaves still says what it has applied, so that it need not be sent again.
        return .transmit(greeting == .sent && incoming.debt == .owed ? .acknowledgement : .goodbye(goodbye))
    }

    private mutating func closeNow(_ reason: CloseReason) -> SessionTask {
        phase = .closed(reason)
        return .close(reason)
    }

    private mutating func taskWhileOpen(window: UInt32, at now: Instant) -> SessionTask {
        let lostAt = probe.lostAt(timing)
        if now >= lostAt { return closeNow(.silent) }
        switch (greeting, incoming.debt, probe.pong) {
        case (.owed, _, _): return .transmit(.hello)
        case (.sent, .owed, _): return .transmit(.acknowledgement)
        case (.sent, .none, .owed(let number)): return .transmit(.pong(number))
        case (.sent, .none, .none): break
        }
        let pingDue = probe.pingDue(timing)
        if now >= pingDue { return .transmit(.ping(probe.ping.nextNumber)) }
        switch outgoing.next(positions, window: window) {
        case .queued(let sequence): return .sendQueued(sequence: sequence)
        case .latest(let revision): return .sendLatest(after: revision)
        case .none: return .wait(until: min(pingDue, lostAt))
        }
    }

    /// The transport has taken the frame of a `.transmit`.
    public mutating func sent(control frame: ControlFrame, at now: Instant) {
        switch frame {
        case .hello(let hello):
            greeting = .sent
            // A hello acknowledges as well: the peer's window reaches on from what it says.
            incoming.queuedReported = max(incoming.queuedReported, hello.queuedApplied)
        case .goodbye:
            switch phase {
            case .leaving(let reason, _): phase = .closing(reason)
            case .disconnected, .awaitingHello, .awaitingDecision, .open, .closing, .closed: break
            }
        case .ping(let number): probe.ping = .sent(number: number, at: now)
        case .pong(let number):
            switch probe.pong {
            case .owed(number): probe.pong = .none
            case .owed, .none: break
            }
        case .acknowledgement(let acknowledgement): incoming.sent(acknowledgement, positions)
        }
    }

    /// The transport has taken the frame of a `.sendQueued` or `.sendLatest`.
    ///
    /// - Parameters:
    ///   - delivery: which of the two.
    ///   - sequence: the sequence that was asked for, or the revision that was sent.
    ///   - now: the time.
    public mutating func sent(_ delivery: LinkDelivery, sequence: UInt32, at now: Instant) {
        guard phase.isOpen else { return }
        switch delivery {
        case .queued:
            guard sequence == outgoing.queuedSent &+ 1, sequence <= positions.queuedIssued else { return }
            outgoing.queuedSent = sequence
            outgoing.turn = .latest
        case .latest:
            guard sequence > outgoing.latestSent, sequence <= positions.latestIssued else { return }
            outgoing.latestSent = sequence
            outgoing.turn = .queued
        }
    }

    /// No latest value has a revision after the last one sent and up to this one, and none is needed.
    public mutating func skipped(latestUpTo revision: UInt32) {
        guard outgoing.latestSent <= positions.latestAcknowledged, revision <= positions.latestIssued else { return }
        outgoing.latestSent = max(outgoing.latestSent, revision)
        positions.latestAcknowledged = max(positions.latestAcknowledged, revision)
    }

    /// Queued messages up to and with this sequence are stored and wait to be sent.
    public mutating func issued(queuedUpTo sequence: UInt32) {
        positions.queuedIssued = max(positions.queuedIssued, sequence)
    }

    /// Latest values up to and with this revision are stored and wait to be sent.
    public mutating func issued(latestUpTo revision: UInt32) {
        positions.latestIssued = max(positions.latestIssued, revision)
    }

    /// A message that `.message` announced is done: applied durably, or rejected. Messages are done in their order.
    ///
    /// - Parameters:
    ///   - delivery: the delivery in its header.
    ///   - sequence: the number in its header. All before it are done with it.
    ///   - heldFor: from the arrival of the message to its being durable.
    ///   - outcome: what became of it.
    ///   - now: the time.
    public mutating func applied(
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
        incoming.finished(delivery, sequence: sequence, heldFor: heldFor, outcome: outcome)
    }
}
