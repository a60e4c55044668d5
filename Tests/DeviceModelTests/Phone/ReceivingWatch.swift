import WatchLink

@testable import DeviceModel

/// A watch that says of files what a test wants. Nothing between it and the phone takes time.
final class ReceivingWatch {
    let phone: SimulatedPhone
    /// Whether it refuses each offer as busy.
    var isBusy = false
    private(set) var now = Instant.start
    /// What the phone has said of files on every link, and when.
    private(set) var heard: [(header: FileHeader, frame: [UInt8], time: Instant)] = []
    /// The kinds of all frames of the phone's.
    private(set) var kinds: [FrameKind] = []
    private(set) var goodbye: Goodbye?
    private var session: Session
    private var numbers = FileNumbers()
    private var words: [[UInt8]] = []

    init(_ phone: SimulatedPhone) {
        self.phone = phone
        var limits = LinkLimits(largestSDU: 512)
        limits.kinds = .files
        session = Session(identity: LinkIdentity(role: .watch, identity: 9, epoch: 3), limits: limits)
    }

    var steps: [FileStep] { heard.map(\.header.step) }

    var offers: Int { steps.count { $0 == .offer } }

    func connect() {
        numbers = FileNumbers()
        session.connected(at: now, maximumSDU: 512, positions: session.positions)
        phone.connected(at: now, maximumSDU: 512)
        exchange()
    }

    func cut() {
        session.disconnected(at: now)
        phone.disconnected(at: now)
    }

    /// Sends a step to the phone, and takes the frames that the phone sends then.
    func say(_ number: UInt32, _ step: FileStep, _ rest: [UInt8] = []) {
        answer(number, step, rest)
        exchange()
    }

    func say(_ frame: [UInt8]) {
        words.append(frame)
        exchange()
    }

    /// Lets time pass, in steps that the link survives.
    func pass(_ length: Microseconds) {
        let end = now + length
        while now < end {
            now = min(end, now + .milliseconds(500))
            exchange()
        }
    }

    /// Has both say everything that they have to say.
    func exchange() {
        while true {
            while case .send(let datagram) = phone.next(at: now) { take(datagram) }
            let said = words + control()
            words = []
            if said.isEmpty { return }
            for datagram in said { phone.receive(datagram, at: now) }
        }
    }

    private func answer(_ number: UInt32, _ step: FileStep, _ rest: [UInt8] = []) {
        if step == .offer { _ = numbers.offer() }
        words.append(
            written { writer throws(CBORError) in try FileHeader(number: number, step: step).encode(into: &writer) }
                + rest)
    }

    private func written(_ write: (inout CBORWriter) throws(CBORError) -> Void) -> [UInt8] {
        do throws(CBORError) {
            return try [UInt8](capacity: 512, writing: write)
        } catch {
            preconditionFailure("no frame of a test is longer")
        }
    }

    private func control() -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        while case .transmit(let request) = session.next(at: now) {
            let frame = session.frame(for: request)
            session.sent(control: frame, at: now)
            datagrams.append(written { writer throws(CBORError) in try frame.encode(into: &writer) })
        }
        return datagrams
    }

    private func take(_ datagram: [UInt8]) {
        kinds.append(FrameKind(rawValue: datagram[0]))
        if case .goodbye(let word)? = try? ControlFrame(datagram.span) { goodbye = word }
        switch session.receive(datagram.span, at: now) {
        case .message(let header): session.applied(header.delivery, sequence: header.sequence, at: now)
        case .file: takeFile(datagram)
        case .none, .duplicate, .helloArrived, .opened, .closed, .interactive, .reply, .acknowledged: break
        }
    }

    private func takeFile(_ datagram: [UInt8]) {
        guard let header = try? FileHeader(datagram.span), numbers.receive(header) == nil else {
            preconditionFailure("the phone says nothing else")
        }
        heard.append((header, datagram, now))
        if isBusy, header.step == .offer { answer(header.number, .refusal(.busy)) }
    }
}
