import Watch
import WatchLink

/// What a simulated phone knows and has still to send.
struct PhoneState {
    private struct Row {
        var item: PhoneItem
        var rank: UInt32
    }

    var session: Session
    private let name: String
    private var rows: [Row] = []
    /// What the watch has been given and has not checked off.
    private var given: [UInt32: Row] = [:]
    private var queue: [[UInt8]] = []
    private var positions = StreamPositions()
    /// Latest values by revision.
    private var latest: [UInt32: [UInt8]] = [:]
    private var metEpoch: UInt32 = 0

    private(set) var checkOffs: [PhoneCheckOff] = []
    private(set) var reloads = 0
    private(set) var meetings = 0

    init(name: String, items: [PhoneItem], seed: UInt64) {
        self.name = name
        let epoch = UInt32(truncatingIfNeeded: seed) | 1
        session = Session(
            identity: LinkIdentity(role: .phone, identity: seed &* 0x9E37_79B9 | 1, epoch: epoch),
            limits: LinkLimits(largestSDU: 512))
        for item in items { rows.append(Row(item: item, rank: UInt32(rows.count + 1) * 16)) }
        setLatest(
            encode { writer throws(CBORError) in
                try TitleMessage(listName: ItemTitle(name), lastTrip: 0).encodeBody(into: &writer)
            })
    }

    var waiting: [PhoneItem] { rows.map(\.item) }

    // MARK: Changes

    mutating func add(_ item: PhoneItem, rank: UInt32?) {
        let rank = rank ?? (rows.last.map { $0.rank + 16 } ?? 16)
        let place = rows.firstIndex { $0.rank > rank } ?? rows.endIndex
        rows.insert(Row(item: item, rank: rank), at: place)
        update()
    }

    mutating func rename(_ id: UInt32, to title: String) {
        guard let index = rows.firstIndex(where: { $0.item.id == id }) else { return }
        rows[index].item.title = title
        update()
    }

    mutating func remove(_ id: UInt32) {
        rows.removeAll { $0.item.id == id }
        update()
    }

    mutating func setTimeline(_ entries: [ComplicationEntry]) {
        setLatest(
            encode { writer throws(CBORError) in
                try writer.text(ComplicationMessage.name)
                try ComplicationMessage(entryCount: UInt32(entries.count)).encodeHead(into: &writer)
                for entry in entries { try entry.encode(into: &writer) }
            })
    }

    private mutating func setLatest(_ body: [UInt8]) {
        positions.latestIssued += 1
        latest[positions.latestIssued] = body
        session.issued(latestUpTo: positions.latestIssued)
    }

    /// Queues what the watch lacks of the first 128 rows.
    private mutating func update(changes first: [ListChange] = [], token: UInt32? = nil) {
        guard session.phase.isOpen || token != nil || !first.isEmpty || metEpoch != 0 else { return }
        var changes = first
        let window = Dictionary(uniqueKeysWithValues: rows.prefix(WatchLimits.items).map { ($0.item.id, $0) })
        for id in given.keys.sorted() where window[id] == nil { changes.append(.remove(id: id)) }
        for row in rows.prefix(WatchLimits.items) where given[row.item.id]?.item != row.item {
            changes.append(.put(id: row.item.id, rank: row.rank, title: ItemTitle(row.item.title)))
        }
        given = window
        let more = UInt32(max(0, rows.count - WatchLimits.items))
        guard !changes.isEmpty || token != nil else { return }
        while !changes.isEmpty || token != nil {
            let batch = Array(changes.prefix(6))
            changes.removeFirst(batch.count)
            let isLast = changes.isEmpty
            let message = ListMessage(
                more: more, changeCount: UInt32(batch.count), reloadToken: isLast ? token : nil)
            enqueue(
                encode { writer throws(CBORError) in
                    try writer.text(ListMessage.name)
                    try message.encodeHead(into: &writer)
                    for change in batch { try change.encode(into: &writer) }
                    try message.encodeTail(into: &writer)
                })
            if isLast { break }
        }
    }

    private mutating func enqueue(_ body: [UInt8]) {
        queue.append(body)
        positions.queuedIssued += 1
        session.issued(queuedUpTo: positions.queuedIssued)
    }

    // MARK: The link

    mutating func receive(_ datagram: [UInt8], at now: Instant) {
        switch session.receive(datagram.span, at: now) {
        case .none, .duplicate, .opened, .closed:
            break
        case .helloArrived(let hello):
            meet(hello, at: now)
        case .message(let header):
            apply(header, datagram, at: now)
        case .acknowledged:
            positions = session.positions
        }
    }

    private mutating func meet(_ hello: PeerHello, at now: Instant) {
        meetings += 1
        let isKnown = hello.epoch == metEpoch && hello.knows(epoch: session.identity.epoch)
        metEpoch = hello.epoch
        if positions.peerEpoch != hello.epoch {
            positions.peerEpoch = hello.epoch
            positions.queuedApplied = 0
        }
        if isKnown {
            update()
        } else {
            given = [:]
            update(changes: [.clear])
        }
        session.accept(positions, localTime: 0, at: now)
        positions = session.positions
    }

    private mutating func apply(_ header: MessageHeader, _ datagram: [UInt8], at now: Instant) {
        var outcome = ApplyOutcome.applied
        do throws(CBORError) {
            let body = try MessageBody(datagram.span, header: header)
            var reader = body.reader
            if body.name.matches(CheckMessage.name) {
                check(try CheckMessage(from: &reader), header.sequence, at: now)
            } else if body.name.matches(ReloadMessage.name) {
                reload(try ReloadMessage(from: &reader))
            } else {
                outcome = .rejected(.unknownName)
            }
        } catch {
            outcome = .rejected(.malformed)
        }
        session.applied(header.delivery, sequence: header.sequence, outcome: outcome, at: now)
        positions = session.positions
    }

    private mutating func check(_ message: CheckMessage, _ sequence: UInt32, at now: Instant) {
        checkOffs.append(PhoneCheckOff(id: message.item, sequence: sequence, time: now))
        if let index = rows.firstIndex(where: { $0.item.id == message.item }) { rows.remove(at: index) }
        // The watch has taken it off its list by itself.
        given[message.item] = nil
        update()
    }

    private mutating func reload(_ message: ReloadMessage) {
        reloads += 1
        given = [:]
        update(changes: [.clear], token: message.token)
    }

    mutating func next(at now: Instant) -> PhoneAction {
        while true {
            switch session.next(at: now) {
            case .transmit(let frame):
                session.sent(control: frame, at: now)
                return .send(encode { writer throws(CBORError) in try frame.encode(into: &writer) })
            case .sendQueued(let sequence):
                session.sent(.queued, sequence: sequence, at: now)
                return .send(frame(.queued, sequence, queue[Int(sequence) - 1]))
            case .sendLatest(let revision):
                guard let next = latest.keys.filter({ $0 > revision }).min(), let body = latest[next] else {
                    session.skipped(latestUpTo: positions.latestIssued)
                    continue
                }
                session.sent(.latest, sequence: next, at: now)
                return .send(frame(.latest, next, body))
            case .close:
                session.disconnected(at: now)
                return .close
            case .wait(let until):
                return .wait(until: until)
            }
        }
    }

    private func frame(_ delivery: LinkDelivery, _ sequence: UInt32, _ body: [UInt8]) -> [UInt8] {
        encode { writer throws(CBORError) in
            try MessageHeader(delivery, sequence: sequence).encode(into: &writer)
            try writer.raw(body.span)
        }
    }
}

/// The bytes that `write` writes, at most 512.
func encode(_ write: (inout CBORWriter) throws(CBORError) -> Void) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count: Int
    do throws(CBORError) {
        var writer = CBORWriter(bytes.mutableSpan)
        try write(&writer)
        count = writer.count
    } catch {
        preconditionFailure("a simulated phone's messages are short: \(error)")
    }
    return Array(bytes.prefix(count))
}

extension ItemTitle {
    /// The UTF-8 bytes of `text`, cut where they do not fit.
    public init(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(utf8: bytes.span)
    }
}
