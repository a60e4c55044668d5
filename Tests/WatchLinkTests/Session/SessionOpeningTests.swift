import Testing
import WatchLink

struct SessionOpeningTests {
    @Test func `the watch says hello, the phone decides and answers, and both are open`() {
        let link = TestLink()
        link.watch.store.positions.queuedIssued = 0
        link.connect()
        #expect(link.phone.session.next(at: link.now) == .wait(until: .start + .seconds(3)))
        #expect(link.watch.session.reachability == .connecting)
        link.settle()
        #expect(link.delivered.map(\.to) == [.phone, .watch])
        #expect(link.watch.session.peer?.name == LinkName("pocket"))
        #expect(link.phone.session.peer?.name == LinkName("wrist"))
        #expect(link.watch.session.peer?.identity == 0xB2)
        #expect(link.phone.session.positions.peerEpoch == 7)
        #expect(link.watch.session.positions.peerEpoch == 9)
        #expect(link.watch.session.reachability == .reachable(lastHeard: .start))
        #expect(link.watch.session.isSynchronized && link.phone.session.isSynchronized)
    }

    @Test func `a phone sends nothing before it has decided`() throws {
        let link = TestLink()
        var phone = link.phone.session
        phone.connected(at: .start, maximumSDU: 512)
        link.watch.connect(at: .start)
        let due = link.watch.session.dueFrame(at: .start)
        let hello = try #require(due)
        let arrived = try #require(phone.receive(encoded(hello).span, at: .start).hello)
        #expect(arrived.epoch == 7)
        #expect(phone.reachability == .connecting)
        #expect(phone.next(at: .start + .seconds(60)) == .wait(until: nil))
        let opened = phone.accept(StreamPositions(), epoch: 5, localTime: 1_000, at: .start + .seconds(60))
        #expect(opened == .opened(arrived))
        let answer = try #require(phone.dueFrame(at: .start + .seconds(60))?.hello)
        #expect(answer.epoch == 5)
        #expect(answer.localTime == 1_000)
        #expect(answer.knownEpoch == 7)
    }

    @Test func `a phone may refuse a watch`() throws {
        let link = TestLink()
        var phone = link.phone.session
        phone.connected(at: .start, maximumSDU: 512)
        link.watch.connect(at: .start)
        let due = link.watch.session.dueFrame(at: .start)
        let hello = try #require(due)
        _ = phone.receive(encoded(hello).span, at: .start)
        phone.close(.refused, at: .start)
        let answer = phone.dueFrame(at: .start)
        let goodbye = try #require(answer)
        #expect(link.watch.receive(encoded(goodbye), at: .start) == .closed(.peerLeft(Goodbye(.refused))))
        #expect(CloseReason.peerLeft(Goodbye(.refused)).isFinal)
        #expect(link.watch.session.next(at: .start) == .close(.peerLeft(Goodbye(.refused))))
        phone.sent(control: goodbye, at: .start)
        #expect(phone.next(at: .start) == .close(.refused))
    }

    @Test(arguments: [LinkRole.watch, .phone])
    func `a hello that does not come in time closes the transport`(_ role: LinkRole) {
        let device = Device(role, epoch: 7)
        device.connect(at: .start)
        let deadline = Instant.start + .seconds(3)
        if role == .watch, let hello = device.session.dueFrame(at: .start) {
            device.session.sent(control: hello, at: .start)
        }
        #expect(device.session.next(at: .start + .milliseconds(2_999)) == .wait(until: deadline))
        #expect(device.session.next(at: deadline) == .close(.noHello))
        #expect(device.session.next(at: deadline) == .wait(until: nil), "reported once")
        #expect(device.session.reachability == .closed(.noHello))
        device.disconnect(at: deadline)
        #expect(device.session.reachability == .noTransport)
    }

    @Test func `a hello for which the transport has no room is offered again and times out likewise`() {
        let link = TestLink()
        link.capacity = 0
        link.connect()
        link.run(.milliseconds(2_900))
        #expect(link.delivered.isEmpty)
        link.capacity = 1
        link.settle()
        #expect(link.watch.session.phase.isOpen && link.phone.session.phase.isOpen)
    }

    @Test(arguments: [LinkRole.watch, .phone])
    func `another version ends with a goodbye and an error that carries the peer's`(_ role: LinkRole) throws {
        let device = Device(role, epoch: 7)
        device.connect(at: .start)
        // Of a hello of another version only the version is sure to be readable.
        let foreign = try #require(bytes(hex: "01 a2 00 04 07 63616263"))
        let reason = CloseReason.otherVersion(peer: 4)
        #expect(device.receive(foreign, at: .start) == .closed(reason))
        let goodbye = ControlFrame.goodbye(Goodbye(.version, version: 2))
        #expect(device.session.dueFrame(at: .start) == goodbye)
        device.session.sent(control: goodbye, at: .start)
        #expect(device.session.next(at: .start) == .close(reason))
        #expect(reason.isFinal)
    }

    @Test(arguments: [LinkRole.watch, .phone])
    func `a goodbye for the version carries the version of the peer`(_ role: LinkRole) throws {
        let device = Device(role, epoch: 7)
        device.connect(at: .start)
        let foreign = encoded(.goodbye(Goodbye(.version, version: 9)))
        let reason = CloseReason.otherVersion(peer: 9)
        #expect(device.receive(foreign, at: .start) == .closed(reason))
        #expect(device.session.next(at: .start) == .close(reason))
    }

    @Test func `two of the same role do not fit`() {
        let one = Device(.watch, epoch: 1)
        let other = Device(.watch, epoch: 2)
        one.connect(at: .start)
        other.connect(at: .start)
        guard let hello = one.session.dueFrame(at: .start) else { return }
        #expect(other.receive(encoded(hello), at: .start) == .closed(.protocolFault(.sameRole)))
    }

    @Test func `a transport that is too small is closed at once`() {
        for size in [-1, 0, 23, 127] {
            let device = Device(.watch, epoch: 1)
            device.connect(at: .start, maximumSDU: size)
            #expect(device.session.next(at: .start) == .close(.transportTooSmall))
        }
        let link = TestLink()
        link.connect(maximumSDU: 128)
        link.settle()
        #expect(link.watch.session.largestBody == 118, "a watch's messages have room for an origin")
        #expect(link.phone.session.largestBody == 122)
    }

    @Test func `a hello with every number at its largest fits the smallest transport`() {
        var limits = LinkLimits(largestSDU: .max)
        (limits.largestMessage, limits.window, limits.kinds) = (.max, .max, LinkKinds(rawValue: .max))
        var hello = Hello(role: .phone, identity: .max, epoch: .max, limits: limits)
        (hello.knownEpoch, hello.queuedApplied, hello.latestApplied) = (.max, .max, .max)
        (hello.queuedIssued, hello.latestIssued, hello.localTime, hello.queuedFloor) = (.max, .max, UInt32.max, .max)
        hello.name = LinkName("0123456789abcdef0123456789abcdef")
        for report in [HelloReport.lost(messages: .max), .rows(check: .max)] {
            hello.report = report
            #expect(encoded(.hello(hello)).count <= Int(LinkLimits.smallestSDU))
            #expect(encoded(.hello(hello)).count == 124)
        }
        // A watch has no local time for its phone.
        (hello.role, hello.localTime, hello.floorOrigin, hello.report) = (.watch, nil, .max, .rows(check: .max))
        #expect(encoded(.hello(hello)).count == 124)
    }
}

func encoded(_ frame: ControlFrame) -> [UInt8] {
    let bytes = try? written(256) { (writer) throws(CBORError) in try frame.encode(into: &writer) }
    return bytes ?? []
}

struct SessionLivenessTests {
    @Test func `an idle link is asked for a sign of life every two seconds`() {
        let link = TestLink.open()
        link.run(.seconds(60))
        #expect(link.watch.session.phase.isOpen && link.phone.session.phase.isOpen)
        let pings = link.delivered.filter { $0.bytes[0] == 0x03 }.count
        #expect(pings >= 29 && pings <= 61)
        #expect(link.delivered.filter { $0.bytes[0] == 0x04 }.count == pings)
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

    @Test func `every pong proves life, even one for an earlier ping`() {
        let link = TestLink.open()
        let later = link.now + .seconds(2)
        link.watch.session.sent(control: .ping(1), at: later)
        let heard = later + .milliseconds(5)
        link.watch.receive(encoded(.pong(99)), at: heard)
        #expect(link.watch.session.reachability == .reachable(lastHeard: heard))
    }

    @Test func `a clock that steps back closes nothing`() {
        let link = TestLink.open()
        link.advance(.seconds(100))
        link.watch.receive(encoded(.ping(1)), at: link.now)
        #expect(link.watch.session.dueFrame(at: .start) == .pong(1))
        link.watch.session.sent(control: .pong(1), at: .start)
        #expect(link.watch.session.next(at: .start) == .wait(until: link.now + .seconds(2)))
    }

    @Test func `a side that goes says what it applied, says goodbye, and closes; the other closes as well`() {
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
