import WatchLink

/// The session with the phone, and a buffer for a datagram in each direction. The link has no access to the watch's data:
/// `step` returns what the caller must do.
struct PhoneLink: ~Copyable {
    var session: Session
    private var channel: RadioChannel = .none
    private let incoming: FixedArray<UInt8>
    private let outgoing: FixedArray<UInt8>
    private let inPlace = InPlace()

    static var memorySize: Int { 2 * WatchLimits.largestSDU }

    private static var congestion: Microseconds { .milliseconds(100) }

    /// Makes a link whose session has a placeholder identity. `restart` sets the real identity before the session is used.
    init(arena: inout MemoryArena, kinds: LinkKinds) {
        var limits = LinkLimits(largestSDU: UInt32(WatchLimits.largestSDU))
        limits.kinds = kinds
        session = Session(identity: LinkIdentity(role: .watch, identity: 1, epoch: 1), limits: limits)
        incoming = arena.take(WatchLimits.largestSDU, of: 0)
        outgoing = arena.take(WatchLimits.largestSDU, of: 0)
    }

    var indicator: LinkIndicator {
        switch session.reachability {
        case .noTransport, .closed: .down
        case .connecting: .connecting
        case .reachable: .reachable
        }
    }

    var deadline: Instant? { channel.deadline }

    mutating func restart(identity: UInt64, epoch: UInt32) {
        session.restart(as: LinkIdentity(role: .watch, identity: identity, epoch: epoch))
    }

    /// Reacts to a change of the connection, takes a datagram, or sends one.
    @inline(never)
    mutating func step(
        _ state: LinkState, _ messages: borrowing HandlerMessages, on board: inout some Board & ~Copyable
    ) -> LinkStep {
        if followRadio(state.positions, on: &board) { return .channelChanged }
        if state.takesDatagrams, let arrival = takeDatagram(from: &board) { return arrival }
        switch channel {
        case .none, .congested: return .idle
        case .open(let open): return performNextAction(open, state, messages, on: &board)
        }
    }

    // MARK: The channel

    @inline(never)
    private mutating func followRadio(_ positions: StreamPositions, on board: inout some Board & ~Copyable) -> Bool {
        switch (board.radioState, channel) {
        case (.down, .none):
            return false
        case (.down, .open), (.down, .congested):
            channel = .none
            session.disconnected(at: board.now)
            return true
        case (.up(let number, _), .open(let current)) where number == current.number:
            return false
        case (.up(let number, _), .congested(let current)) where number == current.number:
            channel = .open(current)
            return false
        case (.up(let number, let maximumSDU), _):
            switch channel {
            case .none: break
            case .open, .congested: session.disconnected(at: board.now)
            }
            channel = .open(OpenChannel(number: number, deadline: nil))
            session.connected(
                at: board.now, maximumSDU: min(maximumSDU, WatchLimits.largestSDU), positions: positions)
            return true
        }
    }

    // MARK: Receiving

    @inline(never)
    private mutating func takeDatagram(from board: inout some Board & ~Copyable) -> LinkStep? {
        switch channel {
        case .none: return nil
        case .open, .congested: break
        }
        guard let length = PhoneLink.receive(into: incoming, from: &board) else { return nil }
        let arrived = board.now
        guard length <= incoming.count else {
            session.close(.protocolFault(.tooLong), at: arrived)
            return .done
        }
        let datagram = incoming.slice(0..<length)
        switch session.receive(datagram.span, at: arrived) {
        case .none, .duplicate, .helloArrived: return .done
        case .interactive(let header): return .question(header, datagram, arrivedAt: arrived)
        case .reply(let header): return .reply(header, datagram)
        case .file: return .file(datagram)
        case .opened: return .opened
        case .message(let header): return .message(header, datagram, arrivedAt: arrived)
        case .acknowledged(let acknowledgement): return .acknowledged(acknowledgement)
        case .closed: return .closed
        }
    }

    private static func receive(
        into buffer: FixedArray<UInt8>, from board: inout some Board & ~Copyable
    ) -> Int? {
        var memory = buffer
        var span = memory.mutableSpan
        return board.receiveDatagram(into: &span)
    }

    mutating func applied(_ header: MessageHeader, _ outcome: ApplyOutcome, arrivedAt arrived: Instant, now: Instant) {
        session.applied(
            header.delivery, sequence: header.sequence, heldFor: now - arrived, outcome: outcome, at: now)
    }

    // MARK: Sending

    @inline(never)
    private mutating func performNextAction(
        _ open: OpenChannel, _ state: LinkState, _ messages: borrowing HandlerMessages,
        on board: inout some Board & ~Copyable
    ) -> LinkStep {
        let now = board.now
        let action = session.next(at: now)
        // Questions and answers are sent after control frames and before other messages.
        switch action {
        case .sendQueued, .sendLatest, .wait: if state.owesExchange, session.mayExchange { return .sendExchange }
        case .transmit, .close: break
        }
        switch action {
        case .transmit(let request):
            return transmit(request, state, messages, on: &board) ? .done : .idle
        case .sendQueued(let sequence):
            return .sendQueued(sequence)
        case .sendLatest(let revision):
            return .sendLatest(after: revision)
        case .close(let reason):
            board.disconnectRadio()
            session.disconnected(at: board.now)
            return .ended(reason)
        case .wait(let until):
            // Frames about files are sent only if nothing else can be sent.
            if state.owesFileFrame, session.mayTransfer { return .sendFileFrame }
            channel = .open(OpenChannel(number: open.number, deadline: until))
            return .idle
        }
    }

    @inline(never)
    private mutating func transmit(
        _ request: ControlRequest, _ state: LinkState, _ messages: borrowing HandlerMessages,
        on board: inout some Board & ~Copyable
    ) -> Bool {
        let frame = session.frame(for: request, rowsCheck: state.rowsCheck, floorOrigin: state.floorOrigin)
        guard send(.control(frame), messages, on: &board) else { return false }
        session.sent(control: frame, at: board.now)
        return true
    }

    /// Sends a queued message. If the message could not be restored, `message` is nil, and the frame tells the phone that
    /// the message was withdrawn. Returns the time at which the radio took the frame; nil if the radio did not take it.
    @inline(never)
    mutating func send(
        _ message: QueuedMessage?, sequence: UInt32, epoch: UInt32, _ messages: borrowing HandlerMessages,
        on board: inout some Board & ~Copyable
    ) -> Instant? {
        let frame =
            message.map { OutgoingFrame.message($0, sequence: sequence, epoch: epoch) }
            ?? .withdrawn(sequence: sequence)
        guard send(frame, messages, on: &board) else { return nil }
        let now = board.now
        session.sent(.queued, sequence: sequence, at: now)
        return now
    }

    /// Tells the session that the watch has no latest value (`LinkDelivery.latest`) left to send.
    mutating func skipLatest() {
        session.skipped(latestUpTo: session.positions.latestIssued)
    }

    var takesQuestions: Bool { session.peer?.limits.kinds.include(.interactive) ?? false }

    /// Sends a frame. Returns whether the radio took it.
    @inline(never)
    mutating func send(
        _ frame: OutgoingFrame, _ messages: borrowing HandlerMessages, on board: inout some Board & ~Copyable
    ) -> Bool {
        // This code cannot move to a function that is not generic: the optimiser of Swift 6.3.1 for armv7em would crash.
        var memory = outgoing
        var writer = CBORWriter(memory.mutableSpan)
        do throws(CBORError) {
            try frame.encode(messages, into: &writer)
        } catch {
            preconditionFailure("a control frame and a message of a few numbers have room in the smallest datagram")
        }
        switch (board.sendDatagram(outgoing.slice(0..<writer.count).span), channel) {
        case (.sent, _):
            return true
        case (.busy, .open(let open)):
            // The radio wakes the board when it has room. Until then, the session is asked ten times a second whether the link
            // has been congested too long.
            let later = board.now + PhoneLink.congestion
            channel = .congested(OpenChannel(number: open.number, deadline: later))
            return false
        case (.busy, .congested), (.busy, .none):
            return false
        case (.refused, _):
            // The next step notices that the radio is disconnected.
            board.disconnectRadio()
            return false
        }
    }
}

/// A frame for the phone. It fits into the smallest datagram that a link allows.
enum OutgoingFrame: BitwiseCopyable {
    case control(ControlFrame)
    case message(QueuedMessage, sequence: UInt32, epoch: UInt32)
    /// Tells the phone that the queued message with this sequence was withdrawn.
    case withdrawn(sequence: UInt32)
    case value(slot: Int, revision: UInt32)
    case question(slot: Int, InteractiveHeader)
    case reply(slot: Int, ReplyHeader)
    /// A reply that refuses a question. It has no value, so it needs no slot.
    case refusal(ReplyHeader)
    case file(FileHeader)

    @inline(never)
    fileprivate func encode(
        _ messages: borrowing HandlerMessages, into writer: inout CBORWriter
    ) throws(CBORError) {
        switch self {
        case .control(let frame): try frame.encode(into: &writer)
        case .message(let queued, let sequence, let epoch):
            let origin = queued.origin == epoch ? nil : queued.origin
            try queued.message.encodeFrame(sequence: sequence, origin: origin, tap: queued.tap, messages, into: &writer)
        case .withdrawn(let sequence):
            try MessageHeader(.queued, sequence: sequence, hasValue: false).encode(into: &writer)
        case .value(let slot, let revision):
            let hasValue = messages.slots[slot].count != 0
            try MessageHeader(.latest, sequence: revision, hasValue: hasValue).encode(into: &writer)
            try messages.encodeSlot(slot, into: &writer)
        case .question(let slot, let header):
            try header.encode(into: &writer)
            try messages.encodeSlot(slot, into: &writer)
        case .reply(let slot, let header):
            try header.encode(into: &writer)
            try writer.raw(messages.slotBytes(slot).span)
        case .refusal(let header): try header.encode(into: &writer)
        case .file(let header): try header.encode(into: &writer)
        }
    }
}

/// What a step of the link has done, or what the caller must do now. A datagram in this value is valid until the next step.
enum LinkStep: BitwiseCopyable {
    case idle
    case done
    case channelChanged
    case opened
    /// The caller must apply the message, and report the outcome to `PhoneLink.applied`.
    case message(MessageHeader, FixedArray<UInt8>, arrivedAt: Instant)
    case acknowledged(Acknowledgement)
    /// The session is closed, because the phone said goodbye or the session refused a frame. The next steps close the
    /// connection.
    case closed
    case ended(CloseReason)
    /// The caller must pass the queued message with this sequence to `PhoneLink.send`.
    case sendQueued(UInt32)
    /// The caller must send the value with the lowest revision above this one. If there is no such value, the caller must
    /// call `skipLatest`.
    case sendLatest(after: UInt32)
    case question(InteractiveHeader, FixedArray<UInt8>, arrivedAt: Instant)
    case reply(ReplyHeader, FixedArray<UInt8>)
    /// The caller must send a frame with a question or an answer.
    case sendExchange
    case file(FixedArray<UInt8>)
    case sendFileFrame
}
