extension Session {
    /// What the shell has to do next. The shell calls this again until it returns `.wait`.
    ///
    /// The shell passes datagrams that have arrived to `receive` first: a peer whose frames wait unread, after the program was
    /// stopped for a while, would count as silent.
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
    package mutating func task(at now: Instant) -> SessionTask {
        let task = nextTask(at: now)
        switch task {
        case .close(let reason): phase = .closed(reason)
        case .transmit, .sendQueued, .sendLatest, .wait: break
        }
        return task
    }

    private func nextTask(at now: Instant) -> SessionTask {
        switch phase {
        case .disconnected, .closed, .awaitingDecision: return .wait(until: nil)
        case .awaitingHello(let waiting):
            if now >= waiting.deadline { return .close(.noHello) }
            switch (identity.role, waiting.greeting) {
            case (.watch, .owed): return .transmit(.hello)
            case (.watch, .sent), (.phone, _): return .wait(until: waiting.deadline)
            }
        case .open(let link): return link.task(positions, timing, at: now)
        case .leaving(let link): return link.task(at: now)
        case .closing(let reason): return .close(reason)
        }
    }

    /// The frame that a task asks for, as of now.
    @inline(never)
    package func frame(for request: ControlRequest) -> ControlFrame {
        switch request {
        case .hello: .hello(ownHello)
        case .goodbye(let goodbye): .goodbye(goodbye)
        case .ping(let number): .ping(number)
        case .pong(let number): .pong(number)
        case .acknowledgement: .acknowledgement(acknowledgement)
        }
    }

    private var acknowledgement: Acknowledgement {
        switch phase {
        case .open(let link): link.incoming.acknowledgement(positions)
        case .leaving(let link):
            (link.incoming ?? IncomingStreams(resuming: positions)).acknowledgement(positions)
        case .disconnected, .awaitingHello, .awaitingDecision, .closing, .closed:
            IncomingStreams(resuming: positions).acknowledgement(positions)
        }
    }

    /// The transport has taken the frame of a `.transmit`.
    public mutating func sent(control frame: ControlFrame, at now: Instant) {
        switch (phase, frame) {
        case (.awaitingHello(var waiting), .hello):
            waiting.greeting = .sent
            phase = .awaitingHello(waiting)
        case (.open(var link), _):
            link.sent(frame, positions, at: now)
            phase = .open(link)
        case (.leaving(let link), .goodbye): phase = .closing(link.reason)
        case (.leaving(var link), .acknowledgement(let acknowledgement)):
            link.update { $0.sent(acknowledgement, positions) }
            phase = .leaving(link)
        case (.awaitingHello, _), (.leaving, _), (.disconnected, _), (.awaitingDecision, _), (.closing, _),
            (.closed, _):
            break
        }
    }

    /// The transport has taken the frame of a `.sendQueued` or `.sendLatest`.
    ///
    /// - Parameters:
    ///   - delivery: which of the two.
    ///   - sequence: the sequence that was asked for, or the revision that was sent.
    ///   - now: the time.
    public mutating func sent(_ delivery: LinkDelivery, sequence: UInt32, at now: Instant) {
        guard case .open(var link) = phase else { return }
        link.outgoing.sent(delivery, sequence: sequence, positions)
        phase = .open(link)
    }

    /// The shell has no latest value with a revision after the last one sent and up to this one, and none is needed.
    public mutating func skipped(latestUpTo revision: UInt32) {
        guard case .open(var link) = phase, link.outgoing.latestSent <= positions.latestAcknowledged,
            revision <= positions.latestIssued
        else { return }
        positions.latestAcknowledged = max(positions.latestAcknowledged, revision)
        link.outgoing.acknowledged(positions)
        phase = .open(link)
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
        switch phase {
        case .open(var link):
            link.incoming.finished(delivery, sequence: sequence, heldFor: heldFor, outcome: outcome)
            phase = .open(link)
        case .leaving(var link):
            link.update { $0.finished(delivery, sequence: sequence, heldFor: heldFor, outcome: outcome) }
            phase = .leaving(link)
        case .disconnected, .awaitingHello, .awaitingDecision, .closing, .closed: break
        }
    }
}
