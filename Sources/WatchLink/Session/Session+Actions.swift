extension Session {
    /// Returns what the shell has to do next. The shell calls this again until it returns `.wait`.
    ///
    /// The shell first passes arrived datagrams to `receive`; otherwise, after a pause of the program, a peer whose
    /// frames wait unread would count as silent.
    @inline(never)
    public mutating func next(at now: Instant) -> SessionAction {
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

    /// The frame of a `.transmit` with the present state.
    ///
    /// - Parameters:
    ///   - rowsCheck: the rows check of a watch that has nothing waiting, nil otherwise.
    ///   - floorOrigin: the epoch in which a watch issued the last message that is acknowledged, nil where it is not known.
    @inline(never)
    public func frame(
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
    public mutating func sent(control frame: ControlFrame, at now: Instant) {
        switch frame {
        case .hello: progress.greeting = .sent
        case .goodbye:
            if case .leaving(let reason, _) = phase { phase = .closing(reason) }
        case .ping(let number): progress.probe.ping = .sent(number: number, at: now)
        case .pong(let number): progress.probe.answeredPing(number)
        case .acknowledgement(let acknowledgement): progress.incoming.sent(acknowledgement, positions)
        }
    }

    /// Call when the transport has taken the frame of a `.sendQueued` or `.sendLatest`.
    ///
    /// - Parameter sequence: the sequence of the action, or the revision of the value that was sent.
    public mutating func sent(_ delivery: LinkDelivery, sequence: UInt32, at now: Instant) {
        guard phase.isOpen else { return }
        progress.outgoing.sent(delivery, sequence: sequence, positions)
    }

    /// Call when there is no latest value to send between the last one sent and this revision.
    public mutating func skipped(latestUpTo revision: UInt32) {
        guard phase.isOpen, progress.outgoing.latestSent <= positions.latestAcknowledged,
            revision <= positions.latestIssued
        else { return }
        positions.latestAcknowledged = max(positions.latestAcknowledged, revision)
        progress.outgoing.acknowledged(positions)
    }

    /// Call when queued messages up to this sequence are stored and may be sent.
    public mutating func issued(queuedUpTo sequence: UInt32) {
        positions.queuedIssued = max(positions.queuedIssued, sequence)
    }

    /// Call when latest values up to this revision are stored and may be sent.
    public mutating func issued(latestUpTo revision: UInt32) {
        positions.latestIssued = max(positions.latestIssued, revision)
    }

    /// Call when the message of a `.message` is durably applied, or rejected. Messages are done in their order.
    ///
    /// - Parameters:
    ///   - delivery: the delivery in its header.
    ///   - sequence: the number in its header. All messages before it count as done too.
    ///   - heldFor: the time from the arrival of the message until it was durable.
    ///   - outcome: applied or rejected.
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
        progress.incoming.finished(delivery, sequence: sequence, heldFor: heldFor, outcome: outcome)
    }
}
