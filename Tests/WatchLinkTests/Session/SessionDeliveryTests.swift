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

    @Test func `values under several names arrive each, and a cleared one goes`() {
        let link = TestLink.open()
        link.phone.set("a", to: 1)
        link.phone.set("b", to: 2)
        link.phone.set("c", to: 3)
        link.settle()
        #expect(link.watch.store.appliedValues == ["a": 1, "b": 2, "c": 3])
        link.phone.set("b", to: nil)
        link.settle()
        #expect(link.watch.store.appliedValues == ["a": 1, "c": 3])
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
        let header = MessageHeader(.queued, sequence: 2, flags: .noValue)
        let frame = try #require(Device.frame(header, []))
        link.watch.session.sent(.queued, sequence: 2, at: link.now)
        link.deliver(to: .phone)
        link.phone.receive(frame.bytes, at: link.now)
        link.settle()
        #expect(link.phone.store.appliedQueue == [1])
        #expect(link.watch.session.isSynchronized)
    }
}
