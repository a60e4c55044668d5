import WatchLink

extension WatchCore where B: ~Copyable {
    /// Does one thing for the link, and what follows from it for the data, the flash and the panel. Returns whether there was
    /// anything to do.
    @inline(never)
    mutating func serviceLink() -> Bool {
        switch link.step(data.streamPositions, on: &board) {
        case .idle:
            return false
        case .done:
            break
        case .channelChanged, .closed:
            display.invalidate(.title)
        case .met(let localTime):
            meet(localTime: localTime)
        case .message(let header, let datagram, let arrived):
            take(header, datagram, arrivedAt: arrived)
        case .acknowledged(let acknowledgement):
            forget(acknowledgement)
        case .ended(let reason):
            end(reason)
        case .sendQueued(let sequence):
            return send(sequence)
        }
        return true
    }

    /// Serves the link and nothing else until a condition holds, the phone is gone, or so much time has passed: for a handler
    /// that waits for the phone.
    mutating func serveLink(atMost length: Microseconds, until isDone: (borrowing WatchData) -> Bool) {
        let deadline = board.now + length
        while !isDone(data), link.indicator != .down, board.now < deadline {
            if keepQueuedMessage() || serviceLink() { continue }
            board.idle(until: min(deadline, link.deadline ?? deadline))
        }
    }

    /// Whether the phone has everything that was done here, and this watch everything that the phone had when they met.
    var isSynchronized: Bool {
        link.isSynchronized && taps.isQueueEmpty && data.outbox.isEmpty
    }

    @inline(never)
    private mutating func meet(localTime: LocalTime?) {
        let positions = link.positions
        let effect = data.meet(positions)
        forget(Acknowledgement(queued: positions.queuedAcknowledged, latest: 0))
        switch effect {
        case .samePositions: break
        case .otherPositions: store.keep(.positions, of: &data, on: &board)
        }
        if let localTime { board.setCalendar(localTime) }
        display.invalidate(.title)
        display.setPlaceholder(data.placeholder, rows: data.items.count)
    }

    private mutating func end(_ reason: CloseReason) {
        display.invalidate(.title)
        switch reason {
        case .historyLost:
            // The phone has seen more of our messages than we remember sending: they get new numbers in a new stream.
            beginEpoch()
        case .goingAway, .refused, .replaced, .noCommonVersion, .protocolFault, .silent, .noHello, .transportTooSmall,
            .peerLeft:
            break
        }
    }

    /// Applies a message, keeps it, and lets the session report that.
    @inline(never)
    private mutating func take(_ header: MessageHeader, _ datagram: FixedArray<UInt8>, arrivedAt arrived: Instant) {
        data.noteApplied(header)
        let outcome = apply(header, datagram)
        link.applied(header, outcome, arrivedAt: arrived, now: board.now)
    }

    private mutating func apply(_ header: MessageHeader, _ datagram: FixedArray<UInt8>) -> ApplyOutcome {
        do throws(CBORError) {
            let body = try MessageBody(datagram.span, header: header)
            guard let name = FeedName(body.name), name.delivery == header.delivery else {
                // A queued message that was withdrawn has no name and nothing to apply. A value that nobody here reads is done.
                return header.hasValue && header.delivery == .queued ? .rejected(.unknownName) : .applied
            }
            let item = taps.heldItem
            if header.hasValue, !(try data.hasRoom(for: name, body.payload, holding: item)) {
                return .rejected(.noRoom)
            }
            let held = heldRows
            let effect = header.hasValue ? try data.apply(name, body.payload, holding: item) : data.clear(name)
            switch effect {
            case .list, .title, .complication:
                // The payload is the datagram's end.
                let payload = datagram.slice(datagram.count - body.payload.count..<datagram.count)
                store.keep(.received(name, sequence: header.sequence, payload), of: &data, on: &board)
                show(effect, heldBefore: held)
            case .passing: break
            case .passed: store.keep(.positions, of: &data, on: &board)
            }
            return .applied
        } catch {
            return .rejected(.malformed)
        }
    }

    /// The rows that a held one keeps on the panel.
    private var heldRows: HeldRows { taps.holdsRow ? display.heldRows(data) : .none }

    private mutating func show(_ effect: DataEffect, heldBefore: HeldRows) {
        switch effect {
        case .list:
            display.invalidate(heldBefore.areOnPanel(still: heldRows) ? .title : .listScreen)
            display.setPlaceholder(data.placeholder, rows: data.items.count)
        case .title: display.invalidate(.title)
        case .complication, .passing, .passed: break
        }
        updateComplication()
        display.invalidateUnlessList()
    }

    /// Takes what the phone has in its store out of the outbox, and marks the taps.
    private mutating func forget(_ acknowledgement: Acknowledgement) {
        let now = board.now
        let waiting = data.outbox.count
        while let entry = data.outbox.popAcknowledged(upTo: acknowledgement.queued) {
            guard let tap = entry.tap, let sentAt = entry.sentAt else { continue }
            let committed = Self.commitTime(
                sentAt: sentAt, acknowledgedAt: now, heldFor: UInt64(word: acknowledgement.heldFor))
            board.trace(.mark(.committed, tap: tap, at: committed))
            board.trace(.mark(.acknowledged, tap: tap, at: now))
        }
        if data.outbox.count < waiting { display.invalidateStatus() }
    }

    /// When the phone had the message in its store: the time on the air is taken to be the same both ways.
    private static func commitTime(sentAt: Instant, acknowledgedAt: Instant, heldFor: UInt64) -> Instant {
        let total = (acknowledgedAt - sentAt).count
        let held = min(heldFor, total)
        return sentAt + Microseconds((total &- held) / 2 &+ held)
    }

    @inline(never)
    private mutating func send(_ sequence: UInt32) -> Bool {
        guard let sent = link.send(data.outbox.message(sequence), sequence: sequence, on: &board) else { return false }
        if let tap = data.outbox.markSent(sequence, at: sent) { board.trace(.mark(.sent, tap: tap, at: sent)) }
        return true
    }
}
