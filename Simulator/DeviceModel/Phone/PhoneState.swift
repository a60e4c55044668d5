import Watch
import WatchLink

/// What a simulated phone knows and has still to send.
struct PhoneState {
    private struct Row {
        var item: PhoneItem
        var rank: UInt32

        var put: ListChange { .put(id: item.id, rank: rank, title: ItemTitle(item.title)) }
    }

    /// How far apart the ranks of items are that are added one after the other, as in the phone's real list.
    private static let rankStep: UInt32 = 1_024
    /// The most changes of a message: with the longest titles so many have room.
    private static let largestBatch = 6

    /// What transactions of the database take.
    var cost = PhoneCost(readThousandRows: .zero, commit: .zero)
    /// What is wrong with the phone.
    var faults = PhoneFaults.none
    /// Where it is noted when the database is busy.
    var activities: ActivityLog?
    private var database = PhoneDatabase()
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
        for item in items { rows.append(Row(item: item, rank: UInt32(rows.count + 1) * Self.rankStep)) }
        setLatest(
            encode { writer throws(CBORError) in
                try TitleMessage(listName: ItemTitle(name), lastTrip: 0).encodeBody(into: &writer)
            })
    }

    var waiting: [PhoneItem] { rows.map(\.item) }

    // MARK: Changes

    mutating func add(_ item: PhoneItem, rank: UInt32?) {
        let rank = rank ?? (rows.last.map { $0.rank + Self.rankStep } ?? Self.rankStep)
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

    /// Queues what the watch lacks of the first 128 rows, or answers a reload.
    private mutating func update(changes first: [ListChange] = [], reload: ReloadMessage? = nil) {
        guard session.phase.isOpen || !first.isEmpty || metEpoch != 0 else { return }
        var changes = first
        let window = Dictionary(uniqueKeysWithValues: rows.prefix(WatchLimits.items).map { ($0.item.id, $0) })
        changes += given.keys.filter { window[$0] == nil }.sorted().map { .remove(id: $0) }
        for row in rows.prefix(WatchLimits.items) where given[row.item.id]?.item != row.item {
            changes.append(row.put)
        }
        given = window
        let beyond = reload?.extent == .everything ? rows.dropFirst(WatchLimits.items).map(\.put) : []
        queue(changes, .given, completing: beyond.isEmpty ? reload?.token : nil)
        queue(beyond, .beyond, completing: reload?.token)
    }

    /// Queues changes in as many messages as they take, the last of which completes a reload.
    private mutating func queue(_ changes: [ListChange], _ rows: ListMessage.Rows, completing token: UInt32?) {
        let more = UInt32(max(0, self.rows.count - WatchLimits.items))
        var rest = changes[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.largestBatch)
            rest = rest.dropFirst(batch.count)
            let message = ListMessage(
                more: more, changeCount: UInt32(batch.count), reloadToken: rest.isEmpty ? token : nil, rows: rows)
            enqueue(
                encode { writer throws(CBORError) in
                    try writer.text(ListMessage.name)
                    try message.encodeHead(into: &writer)
                    for change in batch { try change.encode(into: &writer) }
                    try message.encodeTail(into: &writer)
                })
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
            let body = try? MessageBody(datagram.span, header: header)
            let isReload = body?.name.matches(ReloadMessage.name) ?? false
            let length = faults.stretched(cost.transaction(rows: isReload ? rows.count : 0))
            let began = database.begin(header, datagram, taking: length, at: now)
            activities?.enter(.phone, from: began, length)
            endTransactions(at: now)
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

    /// There is a new channel, in place of an older one if there was any.
    mutating func connected(at now: Instant, maximumSDU: Int) {
        database.dropAll()
        session.connected(at: now, maximumSDU: maximumSDU)
    }

    /// The channel is gone, and with it every message that is not in the database yet.
    mutating func disconnected(at now: Instant) {
        database.dropAll()
        session.disconnected(at: now)
    }

    /// Lets the messages take effect of which the transactions have ended.
    private mutating func endTransactions(at now: Instant) {
        while let transaction = database.ended(by: now) { apply(transaction) }
    }

    private mutating func apply(_ transaction: PhoneDatabase.Transaction) {
        let (header, datagram) = (transaction.header, transaction.datagram)
        var outcome = ApplyOutcome.applied
        do throws(CBORError) {
            let body = try MessageBody(datagram.span, header: header)
            var reader = body.reader
            if body.name.matches(CheckMessage.name) {
                check(try CheckMessage(from: &reader), header.sequence, transaction)
            } else if body.name.matches(ReloadMessage.name) {
                reload(try ReloadMessage(from: &reader))
            } else {
                outcome = .rejected(.unknownName)
            }
        } catch {
            outcome = .rejected(.malformed)
        }
        session.applied(
            header.delivery, sequence: header.sequence, heldFor: transaction.ends - transaction.arrived,
            outcome: outcome, at: transaction.ends)
        positions = session.positions
    }

    private mutating func check(
        _ message: CheckMessage, _ sequence: UInt32, _ transaction: PhoneDatabase.Transaction
    ) {
        checkOffs.append(
            PhoneCheckOff(
                id: message.item, sequence: sequence, time: transaction.arrived, committed: transaction.ends))
        if let index = rows.firstIndex(where: { $0.item.id == message.item }) { rows.remove(at: index) }
        // The watch has taken it off its list by itself.
        given[message.item] = nil
        update()
    }

    private mutating func reload(_ message: ReloadMessage) {
        reloads += 1
        given = [:]
        update(changes: [.clear], reload: message)
    }

    mutating func next(at now: Instant) -> PhoneAction {
        endTransactions(at: now)
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
                disconnected(at: now)
                return .close
            case .wait(let until):
                return .wait(until: [until, database.nextEnd].compactMap { $0 }.min())
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
