import WatchLink

extension WatchCore where B: ~Copyable {
    /// Does one thing for the link: notices that the channel came or went, takes a datagram, or sends one. Returns whether
    /// there was anything to do.
    @inline(never)
    mutating func serviceLink() -> Bool {
        if followRadio() || takeDatagram() { return true }
        switch connection {
        case .none, .congested: return false
        case .open: return performNextAction()
        }
    }

    /// What the title bar and the status sheet show of the link.
    var linkIndicator: LinkIndicator {
        switch session.reachability {
        case .noTransport, .closed: .down
        case .connecting: .connecting
        case .reachable: .reachable
        }
    }

    /// Whether the phone has everything that was done here, and this watch everything that the phone had when they met.
    var isSynchronized: Bool {
        session.isSynchronized && deferred.isEmpty && data.outbox.count == 0
    }

    /// Begins the session of a watch with the identity that the journal holds.
    mutating func restartSession() {
        switch data.identity {
        case .unknown:
            preconditionFailure("a watch has an identity once its journal is mounted")
        case .known(let identity, let epoch):
            session.restart(as: LinkIdentity(role: .watch, identity: identity, epoch: epoch))
        }
    }

    // MARK: The channel

    @inline(never)
    private mutating func followRadio() -> Bool {
        switch (board.radioState, connection) {
        case (.down, .none):
            return false
        case (.down, .open), (.down, .congested):
            connection = .none
            session.disconnected(at: board.now)
            stale.insert(.title)
            return true
        case (.up(let number, _), .open(let current)) where number == current:
            return false
        case (.up(let number, _), .congested(let current)) where number == current:
            connection = .open(number)
            return false
        case (.up(let number, let maximumSDU), _):
            if connection != .none { session.disconnected(at: board.now) }
            connection = .open(number)
            session.connected(
                at: board.now, maximumSDU: min(maximumSDU, WatchLimits.largestSDU), positions: streamPositions)
            stale.insert(.title)
            return true
        }
    }

    private var streamPositions: StreamPositions {
        var positions = StreamPositions()
        positions.queuedIssued = data.outbox.keptSequence
        positions.queuedAcknowledged = data.outbox.acknowledgedSequence
        positions.peerEpoch = data.positions.peerEpoch
        positions.queuedApplied = data.positions.queuedApplied
        positions.latestApplied = data.positions.latestApplied
        return positions
    }

    // MARK: Receiving

    /// Takes one datagram from the radio. While the flash chip is busy it stays there: what it says could not be kept.
    @inline(never)
    private mutating func takeDatagram() -> Bool {
        guard connection != .none, board.flashActivity == .ready else { return false }
        var buffer = received
        var span = buffer.mutableSpan
        guard let length = board.receiveDatagram(into: &span) else { return false }
        let arrived = board.now
        guard length <= received.count else {
            session.close(.protocolFault(.tooLong), at: arrived)
            return true
        }
        let sdu = received.slice(0..<length).span
        switch session.receive(sdu, at: arrived) {
        case .none, .duplicate, .helloArrived:
            break
        case .opened(let peer):
            meet(peer)
        case .message(let header):
            take(header, sdu, arrivedAt: arrived)
        case .acknowledged(let acknowledgement):
            forget(acknowledgement)
        case .closed:
            stale.insert(.title)
        }
        return true
    }

    @inline(never)
    private mutating func meet(_ peer: PeerHello) {
        let positions = session.positions
        let before = data.positions
        data.positions.peerEpoch = positions.peerEpoch
        data.positions.queuedApplied = positions.queuedApplied
        data.positions.latestApplied = positions.latestApplied
        forget(Acknowledgement(queued: positions.queuedAcknowledged, latest: 0))
        if data.positions != before { keep(.positions) }
        if let time = peer.localTime { board.setCalendar(LocalTime(seconds: time)) }
        stale.insert(.title)
        if placeholder == .noListYet { stale.insert(.rows) }
        updatePlaceholder()
    }

    private mutating func end(_ reason: CloseReason) {
        board.disconnectRadio()
        session.disconnected(at: board.now)
        stale.insert(.title)
        switch reason {
        case .historyLost:
            // The phone has seen more of our messages than we remember sending: they get new numbers in a new stream.
            beginEpoch()
        case .goingAway, .refused, .replaced, .noCommonVersion, .protocolFault, .silent, .noHello, .transportTooSmall,
            .peerLeft:
            break
        }
    }

    /// Applies a message, keeps it, and lets the session say so.
    @inline(never)
    private mutating func take(_ header: MessageHeader, _ sdu: Span<UInt8>, arrivedAt arrived: Instant) {
        switch header.delivery {
        case .queued: data.positions.queuedApplied = header.sequence
        case .latest: data.positions.latestApplied = header.sequence
        }
        let outcome = apply(header, sdu)
        session.applied(
            header.delivery, sequence: header.sequence, heldFor: board.now - arrived, outcome: outcome, at: board.now)
    }

    private mutating func apply(_ header: MessageHeader, _ sdu: Span<UInt8>) -> ApplyOutcome {
        do throws(CBORError) {
            let body = try MessageBody(sdu, header: header)
            guard let name = FeedName(body.name), name.delivery == header.delivery else {
                // A queued message that was withdrawn has no name and nothing to apply. A value that nobody here reads is done.
                return header.hasValue && header.delivery == .queued ? .rejected(.unknownName) : .applied
            }
            if header.hasValue, !(try data.hasRoom(for: name, body.payload)) { return .rejected(.noRoom) }
            let held = heldRows
            let effect = header.hasValue ? try data.apply(name, body.payload) : data.clear(name)
            switch effect {
            case .list, .title, .complication:
                keep(name, sequence: header.sequence, body.payload)
                show(effect, heldBefore: held)
            case .passing: break
            case .passed: keep(.positions)
            }
            return .applied
        } catch {
            return .rejected(.malformed)
        }
    }

    /// Keeps a message of the phone's as it came.
    private mutating func keep(_ name: FeedName, sequence: UInt32, _ payload: Span<UInt8>) {
        var buffer = scratch
        var writer = CBORWriter(buffer.mutableSpan)
        do throws(CBORError) {
            try data.writeHead(sequence: sequence, &writer)
            try writer.raw(payload)
        } catch {
            preconditionFailure("a payload that came in one datagram has room in a record")
        }
        appendRecord(name.recordKind, count: writer.count)
    }

    private mutating func show(_ effect: DataEffect, heldBefore: HeldRows) {
        switch effect {
        case .list: stale.insert(heldBefore.areOnPanel(still: heldRows) ? .title : .listScreen)
        case .title: stale.insert(.title)
        case .complication, .passing, .passed: break
        }
        updateComplication()
        switch screen {
        case .list: break
        case .face, .sheet: stale.insert(.everything)
        }
    }

    /// Takes what the phone has in its store out of the outbox, and marks the taps.
    private mutating func forget(_ acknowledgement: Acknowledgement) {
        let now = board.now
        var popped = 0
        while let entry = data.outbox.popAcknowledged(upTo: acknowledgement.queued) {
            popped += 1
            guard entry.tap.count != 0, entry.sentAt != .start else { continue }
            let committed = Self.commitTime(
                sentAt: entry.sentAt, acknowledgedAt: now, heldFor: UInt64(word: acknowledgement.heldFor))
            board.trace(.mark(.committed, tap: entry.tap, at: committed))
            board.trace(.mark(.acknowledged, tap: entry.tap, at: now))
        }
        if popped > 0, case .sheet(.status, _) = screen { stale.insert(.everything) }
    }

    /// When the phone had the message in its store: the time on the air is taken to be the same both ways.
    private static func commitTime(sentAt: Instant, acknowledgedAt: Instant, heldFor: UInt64) -> Instant {
        let total = (acknowledgedAt - sentAt).count
        let held = min(heldFor, total)
        return sentAt + Microseconds((total &- held) / 2 &+ held)
    }

    // MARK: Sending

    @inline(never)
    private mutating func performNextAction() -> Bool {
        let now = board.now
        switch session.task(at: now) {
        case .transmit(let request):
            return transmit(request)
        case .sendQueued(let sequence):
            return sendQueued(sequence)
        case .sendLatest:
            // A watch has no latest values of its own.
            session.skipped(latestUpTo: session.positions.latestIssued)
            return true
        case .close(let reason):
            end(reason)
            return true
        case .wait(let until):
            linkDeadline = until
            return false
        }
    }

    @inline(never)
    private mutating func transmit(_ request: ControlRequest) -> Bool {
        let frame = session.frame(for: request)
        var buffer = scratch
        var writer = CBORWriter(buffer.mutableSpan)
        do throws(CBORError) {
            try frame.encode(into: &writer)
        } catch {
            preconditionFailure("a control frame has room in the smallest datagram")
        }
        guard sendScratch(writer.count) else { return false }
        session.sent(control: frame, at: board.now)
        return true
    }

    @inline(never)
    private mutating func sendQueued(_ sequence: UInt32) -> Bool {
        var buffer = scratch
        var writer = CBORWriter(buffer.mutableSpan)
        do throws(CBORError) {
            try writeFrame(sequence, &writer)
        } catch {
            preconditionFailure("a message of a few numbers has room in the smallest datagram")
        }
        guard sendScratch(writer.count) else { return false }
        let now = board.now
        session.sent(.queued, sequence: sequence, at: now)
        if let tap = data.outbox.markSent(sequence, at: now), tap.count != 0 {
            board.trace(.mark(.sent, tap: tap, at: now))
        }
        return true
    }

    @_lifetime(writer: copy writer)
    private func writeFrame(_ sequence: UInt32, _ writer: inout CBORWriter) throws(CBORError) {
        guard let entry = data.outbox.message(sequence) else {
            return try MessageHeader(.queued, sequence: sequence, flags: .noValue).encode(into: &writer)
        }
        switch entry.message {
        case .checkOff(let id, let time):
            let message = CheckMessage(item: id.rawValue, localTime: time?.seconds, tap: entry.tap.count)
            try message.encodeFrame(sequence: sequence, into: &writer)
        case .reload(let token):
            try ReloadMessage(token: token, extent: .everything).encodeFrame(sequence: sequence, into: &writer)
        }
    }

    /// Gives a datagram in the scratch buffer to the radio. Returns whether the radio took it.
    private mutating func sendScratch(_ length: Int) -> Bool {
        switch (board.sendDatagram(scratch.slice(0..<length).span), connection) {
        case (.sent, _):
            return true
        case (.busy, .open(let number)):
            connection = .congested(number)
            return false
        case (.busy, .congested), (.busy, .none):
            return false
        case (.refused, _):
            // The radio's state tells the rest.
            board.disconnectRadio()
            return false
        }
    }
}
