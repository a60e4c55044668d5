import TestSupport
import WatchLink

/// Calls two linked sessions in any order: they issue, send, receive and apply messages, lose the channel, and wait.
/// Also injects any bytes on either side.
func fuzzSession(_ input: FuzzInput) {
    var input = input
    var ends = [FuzzedEnd(.watch), FuzzedEnd(.phone)]
    var now = Instant.start
    for index in ends.indices { ends[index].connect(at: now) }
    for _ in 0..<400 where !input.isAtEnd {
        let command = input.byte()
        let end = Int(command & 1)
        switch command >> 1 % 8 {
        case 0, 1:
            guard let datagram = ends[end].next(at: now) else { continue }
            ends[1 - end].receive(datagram, at: now)
        case 2: ends[end].receive(input.bytes(), at: now)
        case 3: ends[end].issue(input.byte())
        case 4: now = now + .milliseconds(input.word() % 20_000)
        case 5:
            for index in ends.indices { ends[index].session.disconnected(at: now) }
            for index in ends.indices { ends[index].connect(at: now) }
        case 6: ends[end].session.close(.goingAway, at: now)
        default:
            // The device has lost its memory.
            ends[end] = FuzzedEnd(end == 0 ? .watch : .phone, epoch: input.word() | 1)
            ends[end].connect(at: now)
        }
    }
}

private struct FuzzedEnd {
    var session: Session
    private var positions = StreamPositions()
    private var files = FileNumbers()

    init(_ role: LinkRole, epoch: UInt32 = 7) {
        var limits = LinkLimits(largestSDU: 512)
        limits.kinds = .all
        session = Session(
            identity: LinkIdentity(role: role, identity: role == .watch ? 1 : 2, epoch: epoch), limits: limits)
    }

    mutating func connect(at now: Instant) {
        positions = session.positions
        files = FileNumbers()
        session.connected(at: now, maximumSDU: 512, positions: positions)
    }

    mutating func issue(_ count: UInt8) {
        session.issued(queuedUpTo: session.positions.queuedIssued &+ UInt32(count & 3))
        session.issued(latestUpTo: session.positions.latestIssued &+ UInt32(count >> 6))
        for _ in 0..<count >> 5 & 3 { _ = session.ask() }
        for _ in 0..<count >> 3 & 3 where session.mayTransfer { _ = files.offer() }
    }

    mutating func receive(_ datagram: [UInt8], at now: Instant) {
        switch session.receive(datagram.span, at: now) {
        case .none, .opened, .duplicate, .acknowledged, .closed, .reply: break
        case .interactive: _ = try? MessageBody(interactive: datagram.span)
        case .file: receiveFile(datagram, at: now)
        case .helloArrived(let hello):
            let epoch: UInt32? = positions.agree(with: hello, epoch: session.identity.epoch) ? nil : 99
            session.accept(positions, epoch: epoch, localTime: nil, at: now)
        case .message(let header):
            let body = try? MessageBody(datagram.span, header: header)
            let outcome: ApplyOutcome =
                switch body {
                case .some: .applied
                case nil: .rejected(.malformed)
                }
            session.applied(header.delivery, sequence: header.sequence, outcome: outcome, at: now)
        }
    }

    private mutating func receiveFile(_ datagram: [UInt8], at now: Instant) {
        guard let header = try? FileHeader(datagram.span) else {
            return session.close(.protocolFault(.malformedFrame), at: now)
        }
        if let fault = files.receive(header) { return session.close(.protocolFault(fault), at: now) }
        let again = encoded { writer throws(CBORError) in try header.encode(into: &writer) }
        precondition(datagram.starts(with: again), "a header is written as it was read")
        if header.step == .offer, (try? FileOffer(datagram.span)) == nil {
            session.close(.protocolFault(.malformedFrame), at: now)
        }
    }

    mutating func next(at now: Instant) -> [UInt8]? {
        for _ in 0..<4 {
            switch session.next(at: now) {
            case .transmit(let request):
                let frame = session.frame(for: request, rowsCheck: session.identity.role == .watch ? 7 : nil)
                session.sent(control: frame, at: now)
                return encoded { writer throws(CBORError) in try frame.encode(into: &writer) }
            case .sendQueued(let sequence):
                session.sent(.queued, sequence: sequence, at: now)
                return encoded { writer throws(CBORError) in
                    try CheckMessage(item: sequence, localTime: nil, tap: nil).encodeFrame(
                        sequence: sequence, into: &writer)
                }
            case .sendLatest: session.skipped(latestUpTo: session.positions.latestIssued)
            case .close: session.disconnected(at: now)
            case .wait: return nil
            }
        }
        return nil
    }
}

func encoded(_ write: (inout CBORWriter) throws(CBORError) -> Void) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    do throws(CBORError) {
        var writer = CBORWriter(bytes.mutableSpan)
        try write(&writer)
        let count = writer.count
        return Array(bytes[..<count])
    } catch {
        fatalError("a frame of ours has no room: \(error)")
    }
}
