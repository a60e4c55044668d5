extension Session {
    /// Call when a transport came up. The session discards the connection before it.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - maximumSDU: the largest datagram in bytes, at least `LinkLimits.smallestSDU`; with less the link closes at
    ///     once.
    ///   - positions: the stored positions of the streams. A phone does not know the watch yet and passes them to
    ///     `accept`.
    ///   - epoch: a new epoch of our streams, or nil to keep the present one. Traps for 0.
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

    /// Answers the hello of a watch and begins the flow of messages. Does nothing unless `receive` has returned
    /// `.helloArrived`.
    ///
    /// - Parameters:
    ///   - positions: the stored positions of the streams between this watch and us. Where they do not `agree` with the
    ///     hello, the shell has to draw a new epoch first.
    ///   - epoch: the epoch of our streams to this watch, or nil for that of our identity. Traps for 0.
    ///   - localTime: the local time for the watch in seconds since 1970, nil for unknown.
    ///   - lost: the watch's messages that were applied and are lost, for our hello.
    ///   - now: the time.
    /// - Returns: `.opened`; `.closed(.historyLost)` where the positions do not agree; or `.none`.
    @discardableResult
    public mutating func accept(
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

    /// Closes the link: the next actions send a goodbye and close the transport.
    public mutating func close(_ reason: CloseReason, at now: Instant) {
        switch phase {
        case .awaitingHello, .awaitingDecision, .open:
            phase = reason.goodbye == nil ? .closing(reason) : .leaving(reason, until: now + timing.helloTimeout)
        case .disconnected, .leaving, .closing, .closed: break
        }
    }

    /// Call when the transport is gone, whoever closed it. `positions` are kept.
    public mutating func disconnected(at now: Instant) {
        phase = .disconnected
    }

    private mutating func begin(with positions: StreamPositions, epoch: UInt32?) {
        if let epoch {
            precondition(epoch != 0, "no stream has epoch 0")
            identity.epoch = epoch
        }
        self.positions = positions
    }

    /// Begins the flow of messages, or closes the link where the hello shows that we have lost a part of our streams.
    @inline(never)
    mutating func open(_ hello: PeerHello, greeting: Greeting, at now: Instant) -> SessionEvent {
        guard positions.agree(with: hello, epoch: identity.epoch) else { return leave(.historyLost, at: now) }
        positions.resume(hello, epoch: identity.epoch)
        progress.open(greeting: greeting, resuming: positions, at: now)
        phase = .open(hello)
        return .opened(hello)
    }

    /// Closes the link and returns the event that reports it.
    mutating func leave(_ reason: CloseReason, at now: Instant) -> SessionEvent {
        close(reason, at: now)
        return .closed(reason)
    }
}
