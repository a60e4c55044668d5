import WatchLink

/// The data of a device that survives a crash: its messages, their numbers, and what it has applied.
struct DeviceStore {
    var epoch: UInt32
    var positions = StreamPositions()
    var outbox: [UInt32: [UInt8]] = [:]
    /// The newest value of each name, with its revision. The body is nil if the value was cleared.
    var values: [String: (revision: UInt32, body: [UInt8]?)] = [:]
    var appliedQueue: [UInt32] = []
    var appliedValues: [String: UInt32] = [:]
    var reportedRejections: [Rejection] = []
}

/// A watch or a phone in a test: a session, a store, and the code that stores messages and performs the session's
/// actions.
final class Device {
    enum Applying {
        case atOnce
        case later
    }

    let role: LinkRole
    var store: DeviceStore
    var session: Session
    var applying = Applying.atOnce
    var refuses: (UInt32) -> Bool = { _ in false }
    private(set) var uncommitted: [(header: MessageHeader, name: String, value: UInt32?)] = []
    private(set) var events: [SessionEvent] = []
    private let limits: LinkLimits
    private let timing: LinkTiming

    init(
        _ role: LinkRole, epoch: UInt32, limits: LinkLimits = LinkLimits(largestSDU: 512),
        timing: LinkTiming = LinkTiming()
    ) {
        self.role = role
        self.limits = limits
        self.timing = timing
        store = DeviceStore(epoch: epoch)
        session = Device.session(role, epoch, limits, timing)
    }

    private static func session(
        _ role: LinkRole, _ epoch: UInt32, _ limits: LinkLimits, _ timing: LinkTiming
    ) -> Session {
        let name: StaticString = role == .watch ? "wrist" : "pocket"
        let identity = LinkIdentity(
            role: role, identity: role == .watch ? 0xA1 : 0xB2, epoch: epoch, name: LinkName(name))
        return Session(identity: identity, limits: limits, timing: timing)
    }

    func crash() {
        uncommitted = []
        session = Device.session(role, store.epoch, limits, timing)
    }

    func forget(newEpoch: UInt32) {
        store = DeviceStore(epoch: newEpoch)
        crash()
    }

    func connect(at now: Instant, maximumSDU: Int = 512) {
        switch role {
        case .watch: session.connected(at: now, maximumSDU: maximumSDU, positions: store.positions)
        case .phone:
            // A phone makes a new session for each connection.
            session = Device.session(role, store.epoch, limits, timing)
            session.connected(at: now, maximumSDU: maximumSDU)
        }
    }

    func enqueue(_ value: UInt32) {
        store.positions.queuedIssued += 1
        store.outbox[store.positions.queuedIssued] = Device.body("number", value)
        session.issued(queuedUpTo: store.positions.queuedIssued)
    }

    func set(_ name: String, to value: UInt32?) {
        store.positions.latestIssued += 1
        store.values[name] = (store.positions.latestIssued, value.map { Device.body(name, $0) })
        session.issued(latestUpTo: store.positions.latestIssued)
    }

    private static func body(_ name: String, _ value: UInt32) -> [UInt8] {
        let body = try? written { (writer) throws(CBORError) in
            try writer.text(Array(name.utf8).span)
            try writer.unsigned(value)
        }
        return body ?? []
    }

    @discardableResult
    func receive(_ sdu: [UInt8], at now: Instant) -> SessionEvent {
        let event = session.receive(sdu.span, at: now)
        events.append(event)
        switch event {
        case .none, .duplicate, .closed, .interactive, .reply, .file: break
        case .helloArrived(let hello):
            if !store.positions.agree(with: hello, epoch: store.epoch) { renumber() }
            session.accept(store.positions, epoch: store.epoch, at: now)
            keepPositions()
        case .opened: keepPositions()
        case .acknowledged(let acknowledgement):
            for index in 0..<acknowledgement.rejected.count {
                store.reportedRejections.append(acknowledgement.rejected[index])
            }
            keepPositions()
        case .message(let header):
            let body = try? MessageBody(sdu.span, header: header)
            uncommitted.append((header, Device.name(body), Device.value(body)))
            if applying == .atOnce { commit(at: now) }
        }
        return event
    }

    private static func name(_ body: borrowing MessageBody?) -> String {
        switch body {
        case .some(let body): string(body.name)
        case .none: ""
        }
    }

    private static func value(_ body: borrowing MessageBody?) -> UInt32? {
        switch body {
        case .some(let body):
            var reader = body.reader
            return try? reader.word()
        case .none: return nil
        }
    }

    func commit(at now: Instant) {
        guard !uncommitted.isEmpty else { return }
        let (header, name, value) = uncommitted.removeFirst()
        var outcome = ApplyOutcome.applied
        switch header.delivery {
        case .queued:
            if header.sequence > store.positions.queuedApplied {
                store.positions.queuedApplied = header.sequence
                if let value, refuses(value) {
                    outcome = .rejected(.refused)
                } else if let value {
                    store.appliedQueue.append(value)
                }
            }
        case .latest:
            if header.sequence > store.positions.latestApplied {
                store.positions.latestApplied = header.sequence
                store.appliedValues[name] = value
            }
        }
        session.applied(
            header.delivery, sequence: header.sequence, heldFor: .milliseconds(3), outcome: outcome, at: now)
    }

    func disconnect(at now: Instant) {
        session.disconnected(at: now)
    }

    func frame(_ action: SessionAction) -> (header: MessageHeader, bytes: [UInt8])? {
        switch action {
        case .sendQueued(let sequence):
            guard let body = store.outbox[sequence] else { return nil }
            return Device.frame(MessageHeader(.queued, sequence: sequence), body)
        case .sendLatest(let revision):
            let next = store.values.filter { $0.value.revision > revision }.min {
                $0.value.revision < $1.value.revision
            }
            guard let (name, entry) = next else { return nil }
            let nothing = MessageHeader(.latest, sequence: entry.revision, hasValue: false)
            guard let body = entry.body else {
                let cleared = try? written { (w) throws(CBORError) in try w.text(Array(name.utf8).span) }
                return Device.frame(nothing, cleared ?? [])
            }
            return Device.frame(MessageHeader(.latest, sequence: entry.revision), body)
        case .transmit, .close, .wait: return nil
        }
    }

    static func frame(_ header: MessageHeader, _ body: [UInt8]) -> (header: MessageHeader, bytes: [UInt8])? {
        let bytes = try? written { (writer) throws(CBORError) in
            try header.encode(into: &writer)
            try writer.raw(body.span)
        }
        return bytes.map { (header, $0) }
    }

    private func keepPositions() {
        store.positions = session.positions
        for sequence in store.outbox.keys where sequence <= store.positions.queuedAcknowledged {
            store.outbox[sequence] = nil
        }
    }

    private func renumber() {
        store.epoch += 1_000
        let bodies = store.outbox.sorted { $0.key < $1.key }.map(\.value)
        store.outbox = Dictionary(uniqueKeysWithValues: zip(1..., bodies))
        store.positions.queuedIssued = UInt32(bodies.count)
        store.positions.queuedAcknowledged = 0
    }
}
