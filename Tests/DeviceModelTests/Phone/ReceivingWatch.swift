import WatchLink

@testable import DeviceModel

/// A watch that takes files as PROTOCOL.md says, one at a time, or says what a test wants. Nothing between it and the phone takes
/// time.
final class ReceivingWatch {
    /// What it does with an offer.
    enum Manner {
        /// It takes one, and refuses others meanwhile.
        case takesOne
        /// It refuses each with this reason.
        case refuses(FileReason)
        /// It says nothing of itself.
        case silent
    }

    /// A file that arrives.
    private struct Arrival {
        let number: UInt32
        let transfer: UInt64
        let label: String
        let length: Int
        let hash: [UInt8]
        var content: [UInt8]
        /// The chunks since it last said how much it has.
        var chunks = 0
    }

    /// The most chunks that it writes before it says so.
    static let chunksAnAnswer = 1

    let phone: SimulatedPhone
    var manner = Manner.takesOne
    private(set) var now = Instant.start
    /// What the phone has said of files on every link, and when.
    private(set) var heard: [(header: FileHeader, frame: [UInt8], time: Instant)] = []
    /// The kinds of all frames of the phone's.
    private(set) var kinds: [FrameKind] = []
    private(set) var goodbye: Goodbye?
    /// What is in its flash, by label.
    private(set) var stored: [String: [UInt8]] = [:]
    /// What it has kept of transfers that a link has ended.
    private var kept: [UInt64: [UInt8]] = [:]
    private var arrival: Arrival?
    private var session: Session
    private var numbers = FileNumbers()
    private var words: [[UInt8]] = []

    init(_ phone: SimulatedPhone, takes kinds: LinkKinds = .files) {
        self.phone = phone
        var limits = LinkLimits(largestSDU: 512)
        limits.kinds = kinds
        session = Session(identity: LinkIdentity(role: .watch, identity: 9, epoch: 3), limits: limits)
    }

    var steps: [FileStep] { heard.map(\.header.step) }

    /// How many offers it has had.
    var offers: Int { steps.count { $0 == .offer } }

    func connect() {
        numbers = FileNumbers()
        session.connected(at: now, maximumSDU: 512, positions: session.positions)
        phone.connected(at: now, maximumSDU: 512)
        exchange()
    }

    func cut() {
        if let arrival { kept[arrival.transfer] = arrival.content }
        arrival = nil
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
        switch (manner, header.step) {
        case (.silent, _): break
        case (.refuses(let reason), .offer): answer(header.number, .refusal(reason))
        case (.takesOne, .offer): consider(header.number, datagram)
        case (.takesOne, .chunk(let offset)):
            write(datagram.dropFirst(FileHeader.longestSize), at: offset, header.number)
        case (.takesOne, .cancel): if arrival?.number == header.number { arrival = nil }
        case (.refuses, _), (.takesOne, .resume), (.takesOne, .done), (.takesOne, .progress), (.takesOne, .refusal):
            break
        }
    }

    private func consider(_ number: UInt32, _ datagram: [UInt8]) {
        guard arrival == nil else { return answer(number, .refusal(.busy)) }
        guard let offer = try? FileOffer(datagram.span) else { preconditionFailure("the phone offers a file") }
        let new = Arrival(
            number: number, transfer: offer.transfer,
            label: offer.label.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) },
            length: Int(offer.length), hash: offer.hash.withUnsafeBufferPointer { Array($0) },
            content: kept.removeValue(forKey: offer.transfer) ?? [])
        arrival = new
        answer(number, .resume(from: UInt64(new.content.count)))
        judge()
    }

    private func write(_ content: ArraySlice<UInt8>, at offset: UInt64, _ number: UInt32) {
        guard var file = arrival, file.number == number else { return }
        precondition(offset == UInt64(file.content.count), "the phone sends chunks without gaps")
        file.content += content
        file.chunks += 1
        if file.chunks == ReceivingWatch.chunksAnAnswer || file.content.count == file.length {
            file.chunks = 0
            answer(number, .progress(to: UInt64(file.content.count)))
        }
        arrival = file
        judge()
    }

    private func judge() {
        guard let file = arrival, file.content.count == file.length else { return }
        arrival = nil
        let isRight = PhoneFile(label: file.label, content: file.content, transfer: 1).hash == file.hash
        if isRight { stored[file.label] = file.content }
        answer(file.number, isRight ? .done : .refusal(.wrongHash))
    }
}
