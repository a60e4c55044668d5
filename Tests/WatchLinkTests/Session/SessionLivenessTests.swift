import Testing
import WatchLink

struct SessionLivenessTests {
    @Test func `an idle link is asked for a sign of life every two seconds`() {
        let link = TestLink.open()
        link.run(.seconds(60))
        #expect(link.watch.session.phase.isOpen && link.phone.session.phase.isOpen)
        let pings = link.delivered.filter { $0.bytes[0] == 0x03 }.count
        #expect(pings >= 29 && pings <= 61)
        #expect(link.delivered.filter { $0.bytes[0] == 0x04 }.count == pings)
        #expect(link.watch.session.roundTrip != nil || link.phone.session.roundTrip != nil)
    }

    @Test func `a busy link needs no pings`() {
        let link = TestLink.open()
        for value in 1...20 {
            link.watch.enqueue(UInt32(value))
            link.run(.seconds(1))
        }
        #expect(!link.delivered.contains { $0.bytes[0] == 0x03 })
    }

    @Test(arguments: [LinkRole.watch, .phone])
    func `a peer that falls silent is found within the supervision time`(_ role: LinkRole) {
        let link = TestLink.open()
        let heard = link.now
        var now = heard
        var pings = 0
        let session = link.device(role)
        for _ in 0..<100 {
            switch session.session.next(at: now) {
            case .transmit(let request):
                let frame = session.session.frame(for: request)
                pings += 1
                session.session.sent(control: frame, at: now)
            case .wait(let until): now = until ?? now
            case .close(let reason):
                #expect(reason == .silent)
                #expect(now == heard + .seconds(6))
                #expect(pings == 2)
                #expect(session.session.reachability == .closed(.silent))
                return
            case .sendQueued, .sendLatest: Issue.record("there is nothing to send")
            }
        }
        Issue.record("a silent peer was never found")
    }

    @Test func `a silent peer is found even while the transport takes nothing`() {
        let link = TestLink.open(capacity: 1)
        link.watch.enqueue(1)
        link.watch.enqueue(2)
        _ = link.act(.watch)
        _ = link.act(.watch)
        link.advance(.seconds(6))
        #expect(link.watch.session.next(at: link.now) == .close(.silent))
    }

    @Test func `a late pong for an earlier ping proves life and measures nothing`() {
        let link = TestLink.open()
        let later = link.now + .seconds(2)
        guard let ping = link.watch.session.dueFrame(at: later) else {
            Issue.record("a ping is due")
            return
        }
        #expect(ping == .ping(1))
        link.watch.session.sent(control: ping, at: later)
        link.watch.receive(encoded(.pong(99)), at: later + .milliseconds(5))
        #expect(link.watch.session.roundTrip == nil)
        link.watch.receive(encoded(.pong(1)), at: later + .milliseconds(7))
        #expect(link.watch.session.roundTrip == .milliseconds(7))
        link.watch.receive(encoded(.pong(1)), at: later + .milliseconds(9))
        #expect(link.watch.session.roundTrip == .milliseconds(7), "an answer counts once")
    }

    @Test func `a clock that steps back closes nothing`() {
        let link = TestLink.open()
        link.advance(.seconds(100))
        link.watch.receive(encoded(.ping(1)), at: link.now)
        #expect(link.watch.session.dueFrame(at: .start) == .pong(1))
        link.watch.session.sent(control: .pong(1), at: .start)
        #expect(link.watch.session.next(at: .start) == .wait(until: link.now + .seconds(2)))
    }

    @Test func `whoever goes says what it applied, says goodbye, and closes; the other closes as well`() {
        let link = TestLink.open()
        link.watch.enqueue(1)
        _ = link.act(.watch)
        link.deliver(to: .phone)
        link.phone.session.close(.goingAway, at: link.now)
        #expect(link.phone.session.reachability == .closed(.goingAway))
        _ = link.act(.phone)
        _ = link.act(.phone)
        link.deliver(to: .watch)
        #expect(link.watch.session.positions.queuedAcknowledged == 1)
        link.deliver(to: .watch)
        #expect(link.watch.events.last == .closed(.peerLeft(Goodbye(.goingAway))))
        #expect(link.watch.session.next(at: link.now) == .close(.peerLeft(Goodbye(.goingAway))))
        #expect(link.phone.session.next(at: link.now) == .close(.goingAway))
    }

    @Test func `a goodbye that cannot be sent does not keep the link`() {
        let link = TestLink.open()
        link.phone.session.close(.replaced, at: link.now)
        link.advance(.seconds(3))
        #expect(link.phone.session.next(at: link.now) == .close(.replaced))
    }

    @Test func `a call in a phase in which it means nothing does nothing`() {
        var session = Device(.phone, epoch: 1).session
        let before = session.reachability
        #expect(session.next(at: .start) == .wait(until: nil))
        #expect(session.receive([0x03, 0xA1, 0x00, 0x01].span, at: .start) == .none)
        #expect(session.accept(StreamPositions(), at: .start) == .none)
        session.close(.goingAway, at: .start)
        session.sent(.queued, sequence: 1, at: .start)
        session.sent(.latest, sequence: 1, at: .start)
        session.sent(control: .goodbye(Goodbye(.goingAway)), at: .start)
        session.sent(control: .pong(3), at: .start)
        session.skipped(latestUpTo: .max)
        session.disconnected(at: .start)
        #expect(session.reachability == before)
        #expect(session.positions == StreamPositions())
        #expect(session.largestBody == nil)
        #expect(!session.isSynchronized)
    }

    @Test func `what the shell did not send is not counted as sent`() {
        let link = TestLink.open()
        link.watch.enqueue(1)
        link.watch.session.sent(.queued, sequence: 0, at: link.now)
        link.watch.session.sent(.queued, sequence: 2, at: link.now)
        link.watch.session.sent(.latest, sequence: 1, at: link.now)
        #expect(link.watch.session.next(at: link.now) == .sendQueued(sequence: 1))
    }
}
