import TestSupport
import Testing
import WatchLink

struct ConnectionParameterPolicyTests {
    private static let opening = Instant.start + .seconds(100)

    private static func opened() -> ConnectionParameterPolicy {
        var machine = ConnectionParameterPolicy()
        machine.opened(at: opening)
        machine.requested(.fast, at: opening)
        return machine
    }

    private static func slowed() -> (ConnectionParameterPolicy, at: Instant) {
        var machine = opened()
        let time = opening + ConnectionParameterPolicy.quietTime
        machine.requested(.slow, at: time)
        return (machine, time)
    }

    @Test func `Without a channel nothing is asked for`() {
        var machine = ConnectionParameterPolicy()
        machine.wearerActed(at: Self.opening)
        #expect(machine.wish(at: Self.opening) == nil)
        #expect(machine.wakeAt(from: Self.opening) == nil)
    }

    @Test func `A channel is fast from its first moment, which is asked for once`() {
        var machine = ConnectionParameterPolicy()
        machine.opened(at: Self.opening)
        #expect(machine.wish(at: Self.opening) == .fast)
        #expect(machine.wakeAt(from: Self.opening) == Self.opening)
        machine.requested(.fast, at: Self.opening)
        #expect(machine.wish(at: Self.opening) == nil)
        #expect(machine.wish(at: Self.opening + .seconds(4)) == nil)
    }

    @Test func `It is slow after the quiet time and not a microsecond earlier, and stays so`() throws {
        var machine = Self.opened()
        let end = try #require(machine.wakeAt(from: Self.opening))
        #expect(end == Self.opening + ConnectionParameterPolicy.quietTime)
        #expect(machine.wish(at: Instant(microseconds: end.microseconds - 1)) == nil)
        #expect(machine.wish(at: end) == .slow)
        machine.requested(.slow, at: end)
        #expect(machine.wish(at: end) == nil)
        #expect(machine.wish(at: end + .seconds(3_600)) == nil)
        #expect(machine.wakeAt(from: end) == nil)
    }

    @Test func `Every frame except pings and pongs, and every input of the wearer, keeps the link fast`() {
        let later = Self.opening + .seconds(3)
        for frame in [FrameKind.hello, .goodbye, .acknowledgement, .latest, .queued] {
            var machine = Self.opened()
            machine.carried(frame, at: later)
            #expect(machine.wakeAt(from: later) == later + ConnectionParameterPolicy.quietTime)
        }
        for frame in [FrameKind.ping, .pong] {
            var machine = Self.opened()
            machine.carried(frame, at: later)
            #expect(machine.wakeAt(from: later) == Self.opening + ConnectionParameterPolicy.quietTime)
        }
        var machine = Self.opened()
        machine.wearerActed(at: later)
        #expect(machine.wakeAt(from: later) == later + ConnectionParameterPolicy.quietTime)
    }

    @Test func `A slow link is made fast at once, and not by a keep-alive`() {
        var (machine, time) = Self.slowed()
        let later = time + .seconds(60)
        machine.carried(.ping, at: later)
        machine.carried(.pong, at: later)
        #expect(machine.wish(at: later) == nil)
        machine.wearerActed(at: later)
        #expect(machine.wish(at: later) == .fast)
    }

    @Test func `The next request waits until the change before it has taken effect`() {
        var (machine, time) = Self.slowed()
        let touch = time + .milliseconds(10)
        machine.wearerActed(at: touch)
        #expect(machine.wish(at: touch) == nil)
        #expect(machine.wakeAt(from: touch) == time + ConnectionParameterPolicy.settlingTime)
        #expect(machine.wish(at: time + ConnectionParameterPolicy.settlingTime) == .fast)
    }

    @Test func `A cause that is over before the change has settled is not asked for`() {
        var machine = ConnectionParameterPolicy(quietTime: .seconds(1), settlingTime: .seconds(3))
        machine.opened(at: Self.opening)
        machine.requested(.fast, at: Self.opening)
        let slow = Self.opening + .seconds(3)
        #expect(machine.wakeAt(from: Self.opening) == slow)
        machine.requested(.slow, at: slow)
        machine.wearerActed(at: slow + .seconds(1))
        #expect(machine.wakeAt(from: slow + .seconds(1)) == nil)
        machine.wearerActed(at: slow + .milliseconds(2_500))
        #expect(machine.wakeAt(from: slow + .milliseconds(2_500)) == slow + .seconds(3))
        #expect(machine.wish(at: slow + .seconds(3)) == .fast)
    }

    @Test
    func `After a delay the watch still requests a fast link, unless the cause is over by then`() {
        var (machine, time) = Self.slowed()
        let touch = time + .milliseconds(10)
        machine.wearerActed(at: touch)
        let over = touch + ConnectionParameterPolicy.quietTime
        let late = Instant(microseconds: over.microseconds - 1)
        #expect(machine.wish(at: late) == .fast)
        #expect(machine.wakeAt(from: late) == late)
        #expect(machine.wish(at: over) == nil)
        #expect(machine.wakeAt(from: over) == nil)
        #expect(machine.wakeAt(from: over + .seconds(60)) == nil)
    }

    @Test func `A new channel starts anew, whatever the one before it was asked for`() {
        var (machine, time) = Self.slowed()
        machine.closed()
        #expect(machine.wish(at: time) == nil)
        #expect(machine.wakeAt(from: time) == nil)
        machine.opened(at: time)
        #expect(machine.wish(at: time) == .fast)
        machine.requested(.fast, at: time)
        // A new channel replaces a channel whose end the watch has not noticed.
        machine.opened(at: time)
        #expect(machine.wish(at: time) == .fast)
    }

    @Test func `A refusal is reported once, and there is no other request, over no channel`() {
        var machine = ConnectionParameterPolicy()
        machine.opened(at: Self.opening)
        let (first, second) = (machine.refused(), machine.refused())
        #expect(first && !second)
        #expect(machine.wish(at: Self.opening + .seconds(60)) == nil)
        #expect(machine.wakeAt(from: Self.opening + .seconds(60)) == nil)
        machine.closed()
        machine.opened(at: Self.opening)
        machine.wearerActed(at: Self.opening)
        #expect(machine.wish(at: Self.opening) == nil)
        #expect(machine.wakeAt(from: Self.opening) == nil)
    }

    @Test
    func `Every request is a change, no two follow too fast, and a watch that sleeps until wakeAt misses none`()
        throws
    {
        let seed = Seed.chosen()
        var generator = SplitMix64(seed: seed)
        var machine = ConnectionParameterPolicy()
        var now = Self.opening
        var last: (pace: ConnectionPriority, at: Instant)?
        for _ in 0..<20_000 {
            let next = now + .milliseconds(UInt32.random(in: 0...3_000, using: &generator))
            if let wakeAt = machine.wakeAt(from: now), wakeAt <= next {
                try #require(wakeAt >= now, "a time that has gone by, seed \(seed)")
                now = wakeAt
                let pace = try #require(machine.wish(at: now), "nothing to do at wakeAt, seed \(seed)")
                if let last {
                    try #require(pace != last.pace, "asked again, seed \(seed)")
                    try #require(now >= last.at + ConnectionParameterPolicy.settlingTime, "too fast, seed \(seed)")
                }
                machine.requested(pace, at: now)
                last = (pace, now)
                continue
            }
            try #require(machine.wish(at: next) == nil, "missed, seed \(seed)")
            now = next
            switch UInt8.random(in: 0..<20, using: &generator) {
            case 0:
                machine.closed()
                last = nil
            // The watch sleeps too long, perhaps beyond `wakeAt`.
            case 7: now = now + .milliseconds(UInt32.random(in: 0...10_000, using: &generator))
            case 1...2:
                machine.opened(at: now)
                last = nil
            case 3...4: machine.wearerActed(at: now)
            case 5...6: machine.carried(.queued, at: now)
            case _: machine.carried(.ping, at: now)
            }
        }
    }
}
