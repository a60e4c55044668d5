import Testing
import WatchLink

@Suite("When the side that connects comes back")
struct ReconnectDelayTests {
    private let hello = [UInt8]([0x01, 0xA0])
    private let pong = encoded(.pong(1))

    private func delay(after frames: [UInt8]...) -> ReconnectDelay {
        var delay = ReconnectDelay()
        for frame in frames { delay.carried(frame.span) }
        return delay
    }

    @Test("transports that never become an open link: the pause doubles from 50 ms to 2 s")
    func doubles() {
        var delay = delay()
        let pauses = (0..<8).map { _ in delay.next() }
        #expect(pauses == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000].map { .milliseconds($0) })
    }

    @Test("a link that was open: 50 ms, and from there again")
    func opened() {
        var delay = delay()
        for _ in 0..<8 { _ = delay.next() }
        delay.carried(hello.span)
        delay.carried(pong.span)
        #expect(delay.next() == ReconnectDelay.shortest)
        #expect(delay.next() == ReconnectDelay.shortest, "the first that fails after it")
        #expect(delay.next() == .milliseconds(100))
    }

    @Test("a hello alone opens nothing")
    func helloAlone() {
        var delay = delay()
        _ = delay.next()
        delay.carried(hello.span)
        #expect(delay.next() == .milliseconds(100))
    }

    @Test("a goodbye with reason 1 or 3: 60 s, and then 2 s each", arguments: [GoodbyeReason.version, .refused])
    func unwanted(_ reason: GoodbyeReason) {
        var delay = delay(after: hello, pong, encoded(.goodbye(Goodbye(reason))))
        #expect(delay.next() == ReconnectDelay.unwanted)
        #expect(delay.next() == ReconnectDelay.longest)
    }

    @Test(
        "every other goodbye: as if there were none",
        arguments: [GoodbyeReason.goingAway, .protocolFault, .replaced, .historyLost, GoodbyeReason(rawValue: 99)])
    func otherGoodbyes(_ reason: GoodbyeReason) {
        var delay = delay(after: hello, pong, encoded(.goodbye(Goodbye(reason))))
        #expect(delay.next() == ReconnectDelay.shortest)
    }

    @Test("bytes that are no frame say nothing")
    func garbage() {
        var delay = delay(after: [], [0x02], [0xFF, 0xFF])
        #expect(delay.next() == ReconnectDelay.shortest)
        #expect(delay.next() == .milliseconds(100))
    }

    @Test("a reason to close is final exactly where the goodbye for it is")
    func final() {
        let reasons: [CloseReason] = [
            .goingAway, .refused, .replaced, .historyLost, .protocolFault(.malformedFrame),
            .noCommonVersion(peer: LinkVersions(newest: 2, oldest: 2)),
        ]
        for reason in reasons {
            #expect(reason.isFinal == reason.goodbye?.reason.isFinal, "\(reason)")
            #expect(CloseReason.peerLeft(reason.goodbye ?? Goodbye(.goingAway)).isFinal == reason.isFinal, "\(reason)")
        }
    }
}
