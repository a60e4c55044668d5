import Testing
import WatchLink

struct SessionDeliveryTests {
    @Test(arguments: [LinkRole.watch, .phone])
    func `queued messages arrive in order and are forgotten once acknowledged`(_ role: LinkRole) {
        let link = TestLink.open()
        let other: LinkRole = role == .watch ? .phone : .watch
        for value in 1...50 { link.device(role).enqueue(UInt32(value)) }
        #expect(!link.device(role).session.isSynchronized)
        link.settle()
        #expect(link.device(other).store.appliedQueue == Array(1...50))
        #expect(link.device(role).store.outbox.isEmpty)
        #expect(link.device(role).session.isSynchronized)
    }

    @Test func `no more messages are under way than the window allows`() {
        let watch = Device(.watch, epoch: 7)
        let phone = Device(.phone, epoch: 9, limits: LinkLimits(largestSDU: 512, window: 3))
        let link = TestLink(watch: watch, phone: phone)
        phone.applying = .later
        link.connect()
        link.settle()
        for value in 1...10 { watch.enqueue(UInt32(value)) }
        link.settle()
        #expect(phone.uncommitted.count == 3)
        phone.commit(at: link.now)
        link.settle()
        #expect(phone.uncommitted.count == 3, "one went, one came")
        #expect(watch.session.positions.queuedAcknowledged == 1)
    }

    @Test func `queued and latest take turns, queued first`() {
        let link = TestLink.open()
        for value in 1...4 { link.watch.enqueue(UInt32(value)) }
        link.watch.set("name", to: 1)
        while link.act(.watch) {}
        #expect(link.toPhone.map { $0[0] } == [0x11, 0x10, 0x11, 0x11, 0x11])
    }

    @Test func `of a value that changes faster than the link only the newest is sent`() {
        let link = TestLink.open()
        for value in 1...20 {
            link.phone.set("title", to: UInt32(value))
            _ = link.act(.phone)
        }
        #expect(link.toWatch.count == 1, "one value is under way at a time")
        link.settle()
        #expect(link.watch.store.appliedValues == ["title": 20])
        #expect(link.delivered.filter { $0.to == .watch && $0.bytes[0] == 0x10 }.count == 2)
        #expect(link.phone.session.isSynchronized)
    }

    @Test func `a revision for which there is no value any more can be passed over`() {
        let link = TestLink.open()
        link.phone.session.issued(latestUpTo: 4)
        #expect(link.phone.session.next(at: link.now) == .sendLatest(after: 0))
        link.phone.session.skipped(latestUpTo: 4)
        #expect(link.phone.session.isSynchronized)
        link.phone.session.skipped(latestUpTo: 99)
        #expect(link.phone.session.positions.latestAcknowledged == 4)
    }

    @Test func `a rejected message is acknowledged, its sender learns why, and it blocks nothing`() {
        let link = TestLink.open()
        link.phone.refuses = { $0 % 3 == 0 }
        for value in 1...30 as ClosedRange<UInt32> { link.watch.enqueue(value) }
        link.settle()
        let everyThird = Array(stride(from: UInt32(3), through: 30, by: 3))
        #expect(link.phone.store.appliedQueue == (1...30).filter { !everyThird.contains($0) })
        #expect(link.watch.store.reportedRejections.map(\.sequence) == everyThird)
        #expect(link.watch.store.reportedRejections.allSatisfy { $0.reason == .refused })
        #expect(link.watch.session.isSynchronized)
    }

    @Test func `as many rejections as the window allows fit one acknowledgement`() {
        let link = TestLink.open()
        link.phone.applying = .later
        link.phone.refuses = { _ in true }
        for value in 1...20 { link.watch.enqueue(UInt32(value)) }
        for _ in 0..<4 {
            link.settle()
            while !link.phone.uncommitted.isEmpty { link.phone.commit(at: link.now) }
        }
        link.settle()
        #expect(link.watch.store.reportedRejections.map(\.sequence) == Array(1...20))
    }

    @Test func `a rejected value is reported as well`() {
        var session = TestLink.open().watch.session
        session.applied(.latest, sequence: 3, outcome: .rejected(.malformed), at: .start)
        let expected = Acknowledgement(
            queued: 0, latest: 3, rejectedLatest: Rejection(sequence: 3, reason: .malformed))
        #expect(session.dueFrame(at: .start) == .acknowledgement(expected))
        session.sent(control: .acknowledgement(expected), at: .start)
        #expect(session.next(at: .start) == .wait(until: .start + .seconds(2)))
    }

    @Test func `what is applied while an acknowledgement is on its way out is acknowledged by another`() {
        var session = TestLink.open().watch.session
        session.applied(.queued, sequence: 1, outcome: .rejected(.refused), at: .start)
        guard let first = session.dueFrame(at: .start) else { return }
        session.applied(.queued, sequence: 2, heldFor: .seconds(10_000), outcome: .rejected(.noRoom), at: .start)
        session.sent(control: first, at: .start)
        var rejected = RejectionList()
        rejected.append(Rejection(sequence: 2, reason: .noRoom))
        let second = Acknowledgement(queued: 2, latest: 0, heldFor: .max, rejected: rejected)
        #expect(session.dueFrame(at: .start) == .acknowledgement(second), "and a long time saturates")
    }

    @Test func `a message that was withdrawn takes its place in the order`() throws {
        let link = TestLink.open()
        link.watch.enqueue(1)
        link.watch.enqueue(2)
        _ = link.act(.watch)
        #expect(link.watch.session.next(at: link.now) == .sendQueued(sequence: 2))
        let header = MessageHeader(.queued, sequence: 2, hasValue: false)
        let frame = try #require(Device.frame(header, []))
        link.watch.session.sent(.queued, sequence: 2, at: link.now)
        link.deliver(to: .phone)
        link.phone.receive(frame.bytes, at: link.now)
        link.settle()
        #expect(link.phone.store.appliedQueue == [1])
        #expect(link.watch.session.isSynchronized)
    }
}

struct SessionResumptionTests {
    /// Sends twelve messages in each direction and three values, and cuts the link after `count` steps. Then restores
    /// the link, and lets both devices finish. Returns the link, and the number of steps before the cut.
    private func run(cutAfter count: Int, crashing role: LinkRole?, later: Bool) -> (TestLink, Int) {
        let link = TestLink()
        if later { link.phone.applying = .later }
        link.connect()
        for value in 1...12 {
            link.watch.enqueue(UInt32(value))
            link.phone.enqueue(UInt32(100 + value))
        }
        for value in 1...3 { link.phone.set("title", to: UInt32(value)) }
        var steps = 0
        func step(_ isDone: Bool) -> Bool {
            if isDone { steps += 1 }
            return steps >= count
        }
        var isIdle = false
        while steps < count && !isIdle {
            let before = steps
            if step(link.act(.watch)) || step(link.act(.phone)) { break }
            if step(link.deliver(to: .phone)) || step(link.deliver(to: .watch)) { break }
            if later && step(!link.phone.uncommitted.isEmpty) { break }
            if later { link.phone.commit(at: link.now) }
            isIdle = steps == before
        }
        link.cut()
        if let role { link.device(role).crash() }
        link.connect()
        for _ in 0..<40 {
            link.settle()
            while !link.phone.uncommitted.isEmpty { link.phone.commit(at: link.now) }
        }
        return (link, steps)
    }

    @Test(arguments: [nil, LinkRole.watch, .phone], [false, true])
    func `a cut at any point loses nothing and repeats nothing`(_ crashing: LinkRole?, _ later: Bool) {
        var count = 0
        while true {
            let (link, steps) = run(cutAfter: count, crashing: crashing, later: later)
            #expect(link.phone.store.appliedQueue == Array(1...12), "cut after \(count)")
            #expect(link.watch.store.appliedQueue == Array(101...112), "cut after \(count)")
            #expect(link.watch.store.appliedValues == ["title": 3], "cut after \(count)")
            #expect(link.watch.session.isSynchronized && link.phone.session.isSynchronized, "cut after \(count)")
            if steps < count { break }
            count += 1
        }
        #expect(count > 60, "the exchange has as many points")
    }

    @Test func `an acknowledgement of a message that this connection has not sent yet is believed`() {
        let link = TestLink.open()
        link.watch.session.issued(queuedUpTo: 3)
        let event = link.watch.session.receive(
            encoded(.acknowledgement(Acknowledgement(queued: 2, latest: 0))).span, at: link.now)
        #expect(event == .acknowledged(Acknowledgement(queued: 2, latest: 0)))
        #expect(link.watch.session.next(at: link.now) == .sendQueued(sequence: 3))
    }

    @Test func `a phone with an empty memory begins where the watch's memory ends`() {
        let link = TestLink.open()
        for value in 1...5 { link.watch.enqueue(UInt32(value)) }
        link.settle()
        link.cut()
        for value in 6...9 { link.watch.enqueue(UInt32(value)) }
        link.phone.forget(newEpoch: 77)
        link.phone.enqueue(500)
        link.phone.set("title", to: 5)
        link.connect()
        link.settle()
        #expect(link.phone.store.appliedQueue == [6, 7, 8, 9])
        #expect(link.watch.store.appliedQueue == [500])
        #expect(link.watch.store.appliedValues == ["title": 5])
        #expect(link.watch.session.isSynchronized && link.phone.session.isSynchronized)
    }

    @Test func `a watch with an empty memory gets every value again and the queue from where it stands`() {
        let link = TestLink.open()
        for value in 1...5 { link.phone.enqueue(UInt32(value)) }
        link.phone.set("title", to: 5)
        link.settle()
        link.cut()
        link.phone.enqueue(6)
        link.watch.forget(newEpoch: 78)
        link.watch.enqueue(900)
        link.connect()
        link.settle()
        #expect(link.watch.store.appliedQueue == [6])
        #expect(link.watch.store.appliedValues == ["title": 5])
        #expect(link.phone.store.appliedQueue == [900])
    }

    @Test func `a phone whose memory went back in time takes a new epoch and loses nothing that it has`() {
        let link = TestLink.open()
        link.phone.enqueue(1)
        link.settle()
        let backup = link.phone.store
        link.phone.enqueue(2)
        link.phone.enqueue(3)
        link.settle()
        link.cut()
        link.phone.store = backup
        link.phone.crash()
        link.phone.enqueue(4)
        link.connect()
        link.settle()
        #expect(link.watch.store.appliedQueue == [1, 2, 3, 4])
        #expect(link.phone.session.isSynchronized)
    }

    @Test func `a watch whose memory went back in time has to take a new epoch`() {
        let link = TestLink.open()
        let backup = link.watch.store
        link.watch.enqueue(1)
        link.settle()
        link.cut()
        link.watch.store = backup
        link.watch.crash()
        link.connect()
        while link.act(.watch) || link.deliver(to: .phone) || link.act(.phone) {}
        #expect(!link.toWatch.isEmpty)
        link.deliver(to: .watch)
        #expect(link.watch.events.last == .closed(.historyLost))
    }

    @Test func `a side whose memory of the peer went back in time goes on behind messages that are gone`() {
        let link = TestLink.open()
        link.watch.enqueue(1)
        link.settle()
        let backup = link.phone.store
        link.watch.enqueue(2)
        link.watch.enqueue(3)
        link.settle()
        link.cut()
        link.phone.store = backup
        link.phone.crash()
        link.watch.enqueue(4)
        link.connect()
        link.settle()
        #expect(link.phone.store.appliedQueue == [1, 4])
        #expect(link.watch.session.isSynchronized)
    }

    @Test func `what the hello said is applied widens the window, though it came up after the decision`() throws {
        let link = TestLink()
        var known = StreamPositions()
        (known.peerEpoch, known.queuedApplied) = (7, 5)
        link.phone.store.positions = known
        (link.watch.store.positions.queuedIssued, link.watch.store.positions.queuedAcknowledged) = (20, 5)
        link.connect()
        _ = link.act(.watch)
        link.deliver(to: .phone)
        link.phone.session.applied(.queued, sequence: 6, at: link.now)
        _ = link.act(.phone)
        link.deliver(to: .watch)
        #expect(link.watch.session.positions.queuedAcknowledged == 6)
        // The transport now takes nothing more from the phone, so its acknowledgement of 6 waits.
        link.phone.applying = .later
        for sequence in UInt32(7)...14 {
            #expect(link.watch.session.next(at: link.now) == .sendQueued(sequence: sequence))
            link.watch.session.sent(.queued, sequence: sequence, at: link.now)
            let frame = try #require(Device.frame(MessageHeader(.queued, sequence: sequence), [0x61, 0x61, 0x00]))
            #expect(link.phone.receive(frame.bytes, at: link.now) == .message(frame.header))
        }
    }

    @Test func `what was applied and not acknowledged before the cut is not sent again`() {
        let link = TestLink.open()
        link.watch.enqueue(1)
        link.watch.set("name", to: 2)
        while link.act(.watch) || link.deliver(to: .phone) {}
        link.cut()
        link.connect()
        link.settle()
        #expect(link.delivered.filter { $0.bytes[0] >= 0x10 }.count == 2)
        #expect(link.watch.store.outbox.isEmpty)
        #expect(link.watch.session.isSynchronized)
    }
}
