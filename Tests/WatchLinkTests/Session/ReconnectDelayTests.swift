import Testing
import WatchLink

struct ReconnectDelayTests {
    private let hello = [UInt8]([0x01, 0xA0])
    private let pong = encoded(.pong(1))

    private func delay(after frames: [UInt8]...) -> ReconnectDelay {
        var delay = ReconnectDelay(seed: 1)
        for frame in frames { delay.carried(frame.span) }
        return delay
    }

    @Test func `transports that never become an open link: the pause doubles from 50 ms to 2 s`() {
        var delay = delay()
        let pauses = (0..<8).map { _ in delay.next() }
        #expect(pauses == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000].map { .milliseconds($0) })
    }

    @Test func `a link on which a ping was answered: 50 ms, and doubling from there again`() {
        var delay = delay()
        for _ in 0..<8 { _ = delay.next() }
        delay.carried(hello.span)
        delay.carried(pong.span)
        #expect(delay.next() == ReconnectDelay.shortest)
        #expect(delay.next() == .milliseconds(100))
    }

    @Test
    func `links that open and end at once: the pause grows, so that a peer that ends them all costs one every 2 s`() {
        var delay = delay()
        let pauses = (0..<8).map { _ in
            delay.carried(hello.span)
            delay.carried(encoded(.acknowledgement(Acknowledgement(queued: 1, latest: 0))).span)
            return delay.next()
        }
        #expect(pauses == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000].map { .milliseconds($0) })
    }

    @Test(arguments: [GoodbyeReason.version, .refused, .otherPhone])
    func `a goodbye with reason 1, 3 or 6: 60 s, and then 2 s each`(_ reason: GoodbyeReason) {
        var delay = delay(after: hello, pong, encoded(.goodbye(Goodbye(reason))))
        #expect(delay.next() == .seconds(60))
        #expect(delay.next() == ReconnectDelay.longest)
    }

    @Test func `a goodbye because a newer connection of the same device took over: 30 to 60 s, every time another`() {
        var delay = ReconnectDelay(seed: 1)
        let pauses = (0..<100).map { _ in
            for frame in [hello, pong, encoded(.goodbye(Goodbye(.replaced)))] { delay.carried(frame.span) }
            return delay.next()
        }
        #expect(pauses.allSatisfy { (.seconds(30)...(.seconds(60))).contains($0) })
        #expect(Set(pauses.map(\.count)).count == 100)
        #expect(pauses.contains { $0 < .seconds(33) } && pauses.contains { $0 > .seconds(57) })
    }

    @Test
    func `watches with one identity, whose newest connection ends the one before, each have their turn`() {
        // They come nearly at the same time, as after a restart of the phone.
        var delays = (1...3).map { ReconnectDelay(seed: $0) }
        var times = [0, 5, 10].map { Instant.start + .milliseconds($0) }
        var turns = [0, 0, 0]
        while let next = times.min(), next < .start + .seconds(600), let watch = times.firstIndex(of: next) {
            for frame in [hello, pong, encoded(.goodbye(Goodbye(.replaced)))] { delays[watch].carried(frame.span) }
            let end = times.indices.filter { $0 != watch }.map { times[$0] }.min() ?? next
            // A link at rest hears of its end later than one that has just come up.
            let isTurn = end - next > .seconds(1)
            if isTurn { turns[watch] += 1 }
            times[watch] = end + .milliseconds(isTurn ? 150 : 5) + delays[watch].next()
        }
        #expect(turns.allSatisfy { $0 >= 5 }, "\(turns)")
    }

    @Test func `a goodbye for a fault: 2 s`() {
        var delay = delay(after: hello, pong, encoded(.goodbye(Goodbye(.protocolFault, fault: .malformedFrame))))
        #expect(delay.next() == .seconds(2))
    }

    @Test(arguments: [GoodbyeReason.goingAway, .historyLost, GoodbyeReason(rawValue: 99)])
    func `every other goodbye: as if there were none`(_ reason: GoodbyeReason) {
        var delay = delay(after: hello, pong, encoded(.goodbye(Goodbye(reason))))
        #expect(delay.next() == ReconnectDelay.shortest)
    }

    @Test func `bytes that are no frame say nothing`() {
        var delay = delay(after: [], [0x02], [0xFF, 0xFF])
        #expect(delay.next() == ReconnectDelay.shortest)
        #expect(delay.next() == .milliseconds(100))
    }

    @Test func `a reason to close is final exactly where the goodbye for it is`() {
        let reasons: [CloseReason] = [
            .goingAway, .refused, .replaced, .historyLost, .otherPhone, .protocolFault(.malformedFrame),
            .otherVersion(peer: 3),
        ]
        for reason in reasons {
            #expect(reason.isFinal == reason.goodbye?.reason.isFinal, "\(reason)")
            #expect(CloseReason.peerLeft(reason.goodbye ?? Goodbye(.goingAway)).isFinal == reason.isFinal, "\(reason)")
        }
    }
}
