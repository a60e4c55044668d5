import WatchLink

/// The link to the phone: the session, the radio's channel that it runs over, and a buffer for a datagram each way.
///
/// It knows nothing of the data. `step` does what concerns the link alone, and returns what somebody else has to do.
struct PhoneLink: ~Copyable {
    private var session: Session
    private var channel: RadioChannel = .none
    private let incoming: FixedArray<UInt8>
    private let outgoing: FixedArray<UInt8>
    private let inPlace = InPlace()

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int { 2 * WatchLimits.largestSDU }

    /// A link without a channel, whose session has no identity before `restart`; memory is taken from `arena`.
    init(arena: inout MemoryArena) {
        session = Session(
            identity: LinkIdentity(role: .watch, identity: 1, epoch: 1),
            limits: LinkLimits(largestSDU: UInt32(WatchLimits.largestSDU)))
        incoming = arena.take(WatchLimits.largestSDU, of: 0)
        outgoing = arena.take(WatchLimits.largestSDU, of: 0)
    }

    /// What the title bar and the status sheet show of the link.
    var indicator: LinkIndicator {
        switch session.reachability {
        case .noTransport, .closed: .down
        case .connecting: .connecting
        case .reachable: .reachable
        }
    }

    /// Whether the phone has everything that was issued, and this watch everything that the phone had issued when they met.
    var isSynchronized: Bool { session.isSynchronized }

    /// When the session has something to do even if nothing happens.
    var deadline: Instant? { channel.deadline }

    /// Where the streams of messages stand since the phone's hello.
    var positions: StreamPositions { session.positions }

    /// Begins the session anew, as this watch with this stream of messages.
    mutating func restart(identity: UInt64, epoch: UInt32) {
        session.restart(as: LinkIdentity(role: .watch, identity: identity, epoch: epoch))
    }

    /// Does one thing: notices that the channel came or went, takes a datagram, or sends one.
    ///
    /// - Parameter positions: where the streams stand, for a session over a new channel.
    @inline(never)
    mutating func step(_ positions: StreamPositions, on board: inout some Board & ~Copyable) -> LinkStep {
        switch followRadio(positions, on: &board) {
        case .changed: return .channelChanged
        case .same: break
        }
        if let arrival = takeDatagram(from: &board) { return arrival }
        switch channel {
        case .none, .congested: return .idle
        case .open(let open): return performNextTask(open, on: &board)
        }
    }

    // MARK: The channel

    private enum ChannelNews {
        case same
        case changed
    }

    @inline(never)
    private mutating func followRadio(
        _ positions: StreamPositions, on board: inout some Board & ~Copyable
    ) -> ChannelNews {
        switch (board.radioState, channel) {
        case (.down, .none):
            return .same
        case (.down, .open), (.down, .congested):
            channel = .none
            session.disconnected(at: board.now)
            return .changed
        case (.up(let number, _), .open(let current)) where number == current.number:
            return .same
        case (.up(let number, _), .congested(let current)) where number == current.number:
            channel = .open(current)
            return .same
        case (.up(let number, let maximumSDU), _):
            switch channel {
            case .none: break
            case .open, .congested: session.disconnected(at: board.now)
            }
            channel = .open(OpenChannel(number: number, deadline: nil))
            session.connected(
                at: board.now, maximumSDU: min(maximumSDU, WatchLimits.largestSDU), positions: positions)
            return .changed
        }
    }

    // MARK: Receiving

    /// Takes one datagram from the radio, nil where there is none. While the flash chip is busy it stays there: what it says
    /// could not be kept.
    @inline(never)
    private mutating func takeDatagram(from board: inout some Board & ~Copyable) -> LinkStep? {
        switch channel {
        case .none: return nil
        case .open, .congested: break
        }
        guard board.flashActivity == .ready else { return nil }
        guard let length = PhoneLink.receive(into: incoming, from: &board) else { return nil }
        let arrived = board.now
        guard length <= incoming.count else {
            session.close(.protocolFault(.tooLong), at: arrived)
            return .done
        }
        let datagram = incoming.slice(0..<length)
        switch session.receive(datagram.span, at: arrived) {
        case .none, .duplicate, .helloArrived: return .done
        case .opened(let peer): return .met(localTime: peer.localTime.map { LocalTime(seconds: $0) })
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

    /// Notes that a message has been dealt with, so that the phone is told.
    mutating func applied(_ header: MessageHeader, _ outcome: ApplyOutcome, arrivedAt arrived: Instant, now: Instant) {
        session.applied(
            header.delivery, sequence: header.sequence, heldFor: now - arrived, outcome: outcome, at: now)
    }

    // MARK: Sending

    /// Notes that messages up to this one are in flash and may be sent.
    mutating func issued(upTo sequence: UInt32) {
        session.issued(queuedUpTo: sequence)
    }

    @inline(never)
    private mutating func performNextTask(_ open: OpenChannel, on board: inout some Board & ~Copyable) -> LinkStep {
        let now = board.now
        switch session.task(at: now) {
        case .transmit(let request):
            return transmit(request, on: &board) ? .done : .idle
        case .sendQueued(let sequence):
            return .sendQueued(sequence)
        case .sendLatest:
            // A watch has no latest values of its own.
            session.skipped(latestUpTo: session.positions.latestIssued)
            return .done
        case .close(let reason):
            board.disconnectRadio()
            session.disconnected(at: board.now)
            return .ended(reason)
        case .wait(let until):
            channel = .open(OpenChannel(number: open.number, deadline: until))
            return .idle
        }
    }

    @inline(never)
    private mutating func transmit(_ request: ControlRequest, on board: inout some Board & ~Copyable) -> Bool {
        let frame = session.frame(for: request)
        guard send(.control(frame), on: &board) else { return false }
        session.sent(control: frame, at: board.now)
        return true
    }

    /// Sends the queued message of this number; nil stands for one that was withdrawn. Returns when it left, nil where the radio
    /// has no room.
    @inline(never)
    mutating func send(
        _ message: QueuedMessage?, sequence: UInt32, on board: inout some Board & ~Copyable
    ) -> Instant? {
        let frame = message.map { OutgoingFrame.message($0, sequence: sequence) } ?? .withdrawn(sequence: sequence)
        guard send(frame, on: &board) else { return nil }
        let now = board.now
        session.sent(.queued, sequence: sequence, at: now)
        return now
    }

    /// Gives a frame to the radio. Returns whether the radio took it.
    @inline(never)
    private mutating func send(_ frame: OutgoingFrame, on board: inout some Board & ~Copyable) -> Bool {
        // In a function of its own that is not generic, this crashes the optimiser of Swift 6.3.1 for armv7em.
        var memory = outgoing
        var writer = CBORWriter(memory.mutableSpan)
        do throws(CBORError) {
            try frame.encode(into: &writer)
        } catch {
            preconditionFailure("a control frame and a message of a few numbers have room in the smallest datagram")
        }
        switch (board.sendDatagram(outgoing.slice(0..<writer.count).span), channel) {
        case (.sent, _):
            return true
        case (.busy, .open(let open)):
            channel = .congested(open)
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
