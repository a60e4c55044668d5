extension Session {
    /// A transport came up. The session forgets the connection before it.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - maximumSDU: the most bytes of a datagram, at least `LinkLimits.smallestSDU`; with less the link closes at
    ///     once.
    ///   - positions: where the streams stand. A phone does not know the watch yet and passes them to `accept`.
    ///   - epoch: a new epoch of our streams, or nil to keep the one we have. 0 counts as nil.
    public mutating func connected(
        at now: Instant, maximumSDU: Int, positions: StreamPositions = StreamPositions(), epoch: UInt32? = nil
    ) {
        begin(with: positions, epoch: epoch)
        let size = UInt32(truncatingIfNeeded: min(max(maximumSDU, 0), 0x7FFF_FFFF))
        progress = LinkProgress(maximumSDU: size, at: now)
        phase =
            size < LinkLimits.smallestSDU
            ? .closing(.transportTooSmall) : .awaitingHello(until: now + timing.helloTimeout)
    }

    /// Answers the hello of a watch: messages flow from now on. Does nothing unless `receive` has returned
    /// `.helloArrived`.
    ///
    /// - Parameters:
    ///   - positions: where the streams between this watch and us stand. Where they do not `agree` with the hello, a
    ///     new epoch is due.
    ///   - epoch: the epoch of our streams to this watch, or nil for the one of our identity. 0 counts as nil.
    ///   - localTime: local seconds since 1970 for the watch, nil for unknown.
    ///   - now: the time.
    /// - Returns: `.opened`, or `.closed(.historyLost)` where the positions do not agree, or `.none`.
    @discardableResult
    public mutating func accept(
        _ positions: StreamPositions, epoch: UInt32? = nil, localTime: UInt32? = nil, at now: Instant
    ) -> SessionEvent {
        switch phase {
        case .awaitingDecision(let hello):
            begin(with: positions, epoch: epoch)
            return open(hello, greeting: .owed(localTime: localTime), at: now)
        case .disconnected, .awaitingHello, .open, .leaving, .closing, .closed: return .none
        }
    }

    /// Closes the link for a reason of our own: the next actions say goodbye and close the transport.
    public mutating func close(_ reason: CloseReason, at now: Instant) {
        switch phase {
        case .awaitingHello, .awaitingDecision, .open:
            phase = reason.goodbye == nil ? .closing(reason) : .leaving(reason, until: now + timing.helloTimeout)
        case .disconnected, .leaving, .closing, .closed: break
        }
    }

    /// The transport is gone, whoever closed it. `positions` stay as they are.
    public mutating func disconnected(at now: Instant) {
        phase = .disconnected
    }

    private mutating func begin(with positions: StreamPositions, epoch: UInt32?) {
        if let epoch, epoch != 0 { identity.epoch = epoch }
        self.positions = positions
    }

    /// Begins the flow of messages, where the peer's hello says that the streams continue; or ends the link, where we have lost
    /// a part of ours.
    @inline(never)
    mutating func open(_ hello: PeerHello, greeting: Greeting, at now: Instant) -> SessionEvent {
        guard positions.agree(with: hello, epoch: identity.epoch) else { return leave(.historyLost, at: now) }
        positions.meet(hello, epoch: identity.epoch)
        progress.open(greeting: greeting, resuming: positions, at: now)
        phase = .open(hello)
        return .opened(hello)
    }

    /// Ends the link for a reason of our own and returns the event that reports it.
    mutating func leave(_ reason: CloseReason, at now: Instant) -> SessionEvent {
        close(reason, at: now)
        return .closed(reason)
    }
}
