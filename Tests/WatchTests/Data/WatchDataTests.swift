import TestSupport
import Testing
import WatchLink

@testable import Watch

struct WatchDataTests {
    private let memory = PartMemory()
    private let otherMemory = PartMemory()

    private func data(in memory: PartMemory) -> WatchData {
        var arena = memory.arena
        return WatchData(arena: &arena)
    }

    private func data() -> WatchData { data(in: memory) }

    private func put(_ id: UInt32, _ title: String = "Milk") -> ListChange {
        .put(id: id, rank: id, title: Canvas.title(title))
    }

    private func ids(_ data: borrowing WatchData) -> [UInt32] {
        var ids: [UInt32] = []
        for row in 0..<data.items.count { ids.append(data.items[row].id.rawValue) }
        return ids
    }

    @Test func `changes of the list are applied in their order`() throws {
        var data = data()
        try data.applyList([put(1), put(2), put(3)], more: 7)
        #expect(ids(data) == [1, 2, 3])
        #expect(data.remaining == 10)
        try data.applyList([.remove(id: 2), put(4), .remove(id: 99)], more: 6)
        #expect(ids(data) == [1, 3, 4])
        #expect(data.remaining == 9)
        try data.applyList([.clear, put(5)])
        #expect(ids(data) == [5])
    }

    @Test func `an item stays off the list while its check-off waits, unless the phone has opened it again`() throws {
        var data = data()
        data.outbox.append(.checkOff(ItemID(2), at: nil))
        try data.applyList([put(1), put(2)])
        #expect(ids(data) == [1])
        try data.applyList([put(2)], applied: 1)
        #expect(ids(data) == [1, 2])
        _ = data.outbox.popAcknowledged(upTo: 1)
        try data.applyList([put(1), put(2)])
        #expect(ids(data) == [1, 2])
    }

    @Test func `a held row stays though the phone removes it`() throws {
        var data = data()
        try data.applyList([put(1), put(2)])
        data.items.checkOff(row: 0)
        try data.applyList([.remove(id: 1), .remove(id: 2)], holding: 1)
        #expect(ids(data) == [1])
    }

    @Test func `a held row waits again when the phone has had its check-off and puts the item back`() throws {
        var data = data()
        try data.applyList([put(1)])
        data.items.checkOff(row: 0)
        data.outbox.append(.checkOff(ItemID(1), at: nil))
        _ = data.outbox.popAcknowledged(upTo: 1)
        try data.applyList([put(1)], holding: 1)
        let isOpenEarly = data.items.isOpen(row: 0)
        #expect(!isOpenEarly, "the message is older than the check-off")
        try data.applyList([put(1)], applied: 1, holding: 1)
        let isOpen = data.items.isOpen(row: 0)
        #expect(isOpen)
        try data.applyList([.remove(id: 1)], applied: 1, holding: 1)
        #expect(ids(data).isEmpty)
    }

    @Test func `an unreadable message changes nothing`() throws {
        var data = data()
        let payload = try Payload.list([put(1), put(2)])
        for length in 0..<payload.count {
            let cut = Array(payload[..<length])
            let effect = try? data.apply(.list, cut.span, holding: nil)
            #expect(effect == nil)
            #expect(ids(data).isEmpty)
        }
    }

    @Test func `the phone knows the last trip, also after its clock was ahead once`() throws {
        var data = data()
        for (sent, kept) in [(nil, nil), (50, 50), (40, 40), (nil, 40), (60, 60)] as [(UInt32?, UInt32?)] {
            let payload = try Payload.title("Groceries", lastTrip: sent)
            _ = try data.apply(.title, payload.span, holding: nil)
            #expect(data.lastCheckOff?.seconds == kept)
        }
        #expect(data.title == Canvas.title("Groceries"))
        _ = data.clear(.title)
        #expect(data.title.isEmpty)
    }

    @Test func `a trip that ended here stays until the phone has it`() throws {
        var data = data()
        let list = try Payload.list([put(1)])
        _ = try data.apply(.list, list.span, holding: nil)
        data.outbox.append(.checkOff(ItemID(1), at: nil))
        data.removeRow(0, checkedAt: LocalTime(seconds: 77))
        let earlier = try Payload.title("Groceries", lastTrip: 40)
        _ = try data.apply(.title, earlier.span, holding: nil)
        #expect(data.lastCheckOff?.seconds == 77)
        _ = data.outbox.popAcknowledged(upTo: 1)
        _ = try data.apply(.title, earlier.span, holding: nil)
        #expect(data.lastCheckOff?.seconds == 40)
    }

    @Test func `the rows check depends on the rows and not on how they came`() throws {
        var random = SplitMix64(seed: Seed.printed(for: "rows check"))
        var data = data()
        var other = self.data(in: otherMemory)
        #expect(data.rowsCheck == other.rowsCheck)
        for _ in 0..<200 {
            let id = UInt32.random(in: 1...20, using: &random)
            let change: ListChange =
                Bool.random(using: &random) ? put(id, "Item \(random.next() % 5)") : .remove(id: id)
            try data.applyList([change])
        }
        var rows: [ListChange] = [.clear]
        for row in 0..<data.items.count {
            let item = data.items[row]
            rows.append(.put(id: item.id.rawValue, rank: item.rank, title: item.title))
        }
        try other.applyList(rows)
        #expect(data.rowsCheck == other.rowsCheck)
        let more = try Payload.list([], more: 1)
        _ = try other.apply(.list, more.span, holding: nil)
        #expect(data.rowsCheck != other.rowsCheck)
    }

    @Test func `the last row ends the trip if nothing is left on the phone`() throws {
        for (more, trip) in [(0, 77), (1, nil)] as [(UInt32, UInt32?)] {
            var data = data()
            try data.applyList([put(1)], more: more)
            data.items.checkOff(row: 0)
            data.removeRow(0, checkedAt: LocalTime(seconds: 77))
            #expect(data.lastCheckOff?.seconds == trip)
        }
    }

    @Test func `the placeholder tells a finished list from one that never came`() throws {
        var data = data()
        #expect(data.placeholder == .noListYet)
        var positions = StreamPositions()
        positions.peerEpoch = 5
        let isChanged = data.resume(positions, queuedIssued: 0)
        let isSame = data.resume(positions, queuedIssued: 0)
        #expect(isChanged && !isSame)
        #expect(data.placeholder == .nothingYet, "a list that never had an item is not done")
        try data.applyList([put(1)])
        #expect(data.placeholder == EmptyListPlaceholder.none)
        data.items.checkOff(row: 0)
        #expect(data.placeholder == .allDone)
    }

    @Test func `the list is all done only when everything that the phone had at its hello has arrived`() throws {
        var data = data()
        var positions = StreamPositions()
        positions.peerEpoch = 5
        _ = data.resume(positions, queuedIssued: 2)
        #expect(data.placeholder == .moreToCome)
        data.noteApplied(MessageHeader(.queued, sequence: 1))
        #expect(data.placeholder == .moreToCome)
        data.noteApplied(MessageHeader(.queued, sequence: 2))
        #expect(data.placeholder == .nothingYet)
        try data.applyList([], more: 3)
        #expect(data.placeholder == .moreToCome)
    }

    @Test func `after a request for the list it is all done only when the answer has arrived`() throws {
        var data = data()
        var positions = StreamPositions()
        positions.peerEpoch = 5
        _ = data.resume(positions, queuedIssued: 0)
        data.awaitReload(9)
        try data.applyList([.clear])
        #expect(data.placeholder == .moreToCome)
        try data.applyList([], reload: 9)
        #expect(data.placeholder == .nothingYet)
    }

    @Test func `a reload has arrived with the message that has its token`() throws {
        var data = data()
        for (token, hasArrived) in [(nil, false), (8, false), (9, true), (nil, true)] as [(UInt32?, Bool)] {
            try data.applyList([], reload: token)
            #expect(data.hasReloaded(9) == hasArrived)
        }
    }

    @Test func `a snapshot that is read back gives the same data`() throws {
        var data = data()
        let list = try Payload.list((1...40).map { put($0, "Item \($0)") }, more: 12)
        let title = try Payload.title("Groceries", lastTrip: 1_763_629_260)
        let entries = (1...16).map {
            ComplicationEntry(date: $0, content: .items(remaining: $0), text: Canvas.title("T"))
        }
        let complication = try Payload.complication(entries)
        _ = try data.apply(.list, list.span, holding: nil)
        _ = try data.apply(.title, title.span, holding: nil)
        _ = try data.apply(.complication, complication.span, holding: nil)
        data.identity = 0x0123_4567_89AB_CDEF
        var positions = StreamPositions()
        (positions.peerEpoch, positions.queuedApplied, positions.latestApplied) = (9, 3, 4)
        _ = data.resume(positions, queuedIssued: 12)
        data.outbox.reset(after: OutboxEnd(sequence: 20, origin: 76))
        data.phones.moveOn(to: 30, after: OutboxEnd(sequence: 20, origin: 76))
        data.phones.moveOn(to: 31, after: OutboxEnd(sequence: 5, origin: 75))
        data.phones.moveOn(to: 30, after: OutboxEnd(sequence: 6, origin: nil))
        data.losses.insert(.ofPhone)
        data.outbox.append(.checkOff(ItemID(999), at: LocalTime(seconds: 5)))
        data.outbox.append(.reload(token: 6))

        var copy = self.data(in: otherMemory)
        for record in snapshot(&data) {
            let outcome = copy.replay(record.kind, payload: record.bytes.span)
            #expect(outcome == .applied)
        }
        #expect(ids(copy) == ids(data))
        #expect(copy.remaining == 52)
        #expect(copy.title == data.title)
        #expect(copy.lastCheckOff == data.lastCheckOff)
        #expect(copy.identity == data.identity)
        #expect(copy.phones == data.phones)
        #expect(copy.phones.resumed == OutboxEnd(sequence: 5, origin: 75))
        #expect(copy.streamPositions == data.streamPositions)
        #expect(copy.placeholder == data.placeholder)
        #expect(copy.timeline.count == 16)
        #expect((0..<16).allSatisfy { copy.timeline[$0] == data.timeline[$0] })
        #expect(copy.outbox.message(21)?.message == .checkOff(ItemID(999), at: LocalTime(seconds: 5)))
        #expect(copy.outbox.message(22)?.message == .reload(token: 6))
        #expect(copy.outbox.acknowledgedOrigin == 76)
        #expect(copy.losses == data.losses && copy.losses.contains(.ofPhone))
    }

    private func snapshot(_ data: inout WatchData) -> [(kind: RecordKind, bytes: [UInt8])] {
        var records: [(kind: RecordKind, bytes: [UInt8])] = []
        var cursor = SnapshotCursor()
        var buffer = [UInt8](repeating: 0, count: JournalFormat.maximumPayload)
        var span = buffer.mutableSpan
        while let record = data.nextSnapshotRecord(cursor: &cursor, into: &span) {
            records.append((record.kind, (0..<record.count).map { span[$0] }))
        }
        return records
    }

    private func payload(of name: FeedName) throws -> [UInt8] {
        switch name {
        case .list: try Payload.list([put(1)], more: 2)
        case .title: try Payload.title("Groceries", lastTrip: 5)
        case .complication:
            try Payload.complication([ComplicationEntry(date: 1, content: .text, text: Canvas.title("T"))])
        case .past: try Payload.list([put(9)])
        }
    }

    @Test func `what each message of the phone changes is in a snapshot`() throws {
        var names = EachCase<FeedName>()
        while let name = names.next() {
            var data = data()
            let before = snapshot(&data).map(\.bytes)
            let payload = try payload(of: name)
            _ = try data.apply(name, payload.span, holding: nil)
            let records = snapshot(&data)
            #expect(records.map(\.bytes) != before, "\(name)")
            data.forgetList()
            let after = snapshot(&data)
            #expect(after.map(\.bytes) == before, "\(name) is forgotten with its phone")
            var copy = self.data(in: otherMemory)
            for record in records {
                let outcome = copy.replay(record.kind, payload: record.bytes.span)
                #expect(outcome == .applied)
            }
            let again = snapshot(&copy)
            #expect(again.map(\.bytes) == records.map(\.bytes), "\(name)")
        }
    }

    private func message(of content: OutboxSlot.Content) -> OutboxMessage? {
        switch content {
        case .checkOff: .checkOff(ItemID(9), at: LocalTime(seconds: 5))
        case .addition: .addition(ItemID(8), at: LocalTime(seconds: 6))
        case .reload: .reload(token: 7)
        // A handler's messages need a handler that declares them.
        case .vacant, .handler: nil
        }
    }

    @Test func `each message of the watch is read back from its record and from a snapshot`() throws {
        var contents = EachCase<OutboxSlot.Content>()
        var names: [ApplicationMessage?] = []
        while let content = contents.next() {
            guard let message = message(of: content) else { continue }
            var data = data()
            let sequence: UInt32 = 1
            data.outbox.append(message, origin: 1)
            var buffer = [UInt8](repeating: 0, count: JournalFormat.maximumPayload)
            var writer = CBORWriter(buffer.mutableSpan)
            try data.write(.message(message, sequence: sequence), &writer)
            let count = writer.count
            let record = (
                kind: RecordKind(DataRecord.message(message, sequence: sequence).kind), bytes: Array(buffer[..<count])
            )
            for records in [[record], snapshot(&data)] {
                var copy = self.data(in: otherMemory)
                for record in records { _ = copy.replay(record.kind, payload: record.bytes.span) }
                #expect(copy.outbox.message(sequence)?.message == message, "\(content)")
            }
            var frame = CBORWriter(buffer.mutableSpan)
            try message.encodeFrame(sequence: sequence, origin: nil, tap: nil, data.messages, into: &frame)
            let bytes = Array(buffer[..<frame.count])
            names.append(ApplicationMessage(name: try MessageBody(bytes.span, header: MessageHeader(bytes.span)).name))
        }
        let all = (UInt8.min...UInt8.max).compactMap(ApplicationMessage.init(rawValue:))
        #expect(Set(names) == Set(all.filter { $0.sender == .watch }), "the watch sends each message that is its own")
    }

    @Test func `a record of an unknown kind, or one that cannot be read, is told apart`() {
        var data = data()
        let (zero, cut): ([UInt8], [UInt8]) = ([0], [0x61])
        let unknown = data.replay(RecordKind(rawValue: 200), payload: zero.span)
        let unreadable = data.replay(RecordKind(.positions), payload: cut.span)
        #expect(unknown == .unknownKind)
        #expect(unreadable == .unreadable)
    }
}

extension WatchData {
    fileprivate mutating func applyList(
        _ changes: [ListChange], more: UInt32 = 0, reload: UInt32? = nil, applied: UInt32 = 0,
        holding held: UInt32? = nil
    ) throws {
        let payload = try Payload.list(changes, more: more, reload: reload, applied: applied)
        _ = try apply(.list, payload.span, holding: held.map { ItemID($0) })
    }
}
