import TestSupport
import Testing
import WatchLink

struct SessionRandomWalkTests {
    private struct Expectation {
        var queued: [LinkRole: [UInt32]] = [.watch: [], .phone: []]
        var values: [LinkRole: [String: UInt32]] = [.watch: [:], .phone: [:]]
    }

    private func step(_ link: TestLink, _ expected: inout Expectation, _ random: inout SplitMix64) {
        let role: LinkRole = random.once(in: 2) ? .watch : .phone
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12:
            let value = UInt32(expected.queued[role, default: []].count)
            expected.queued[role, default: []].append(value)
            link.device(role).enqueue(value)
        case 12..<18:
            let name = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            let value = random.once(in: 5) ? nil : UInt32.random(in: 0...1_000, using: &random)
            expected.values[role, default: [:]][name] = value
            link.device(role).set(name, to: value)
        case 18..<48: _ = link.isUp && link.act(role)
        case 48..<78: link.deliver(to: role)
        case 78..<86: link.device(role).commit(at: link.now)
        case 86..<88: link.cut()
        case 88..<89:
            // The process crashes, which also cuts the link.
            link.cut()
            link.device(role).crash()
        case 89..<91: link.advance(.milliseconds(UInt32.random(in: 0...3_000, using: &random)))
        case 91..<92: link.device(role).session.close(.goingAway, at: link.now)
        case 92..<94: link.capacity = Int.random(in: 0...6, using: &random)
        case 94..<95: link.device(role).applying = random.once(in: 2) ? .later : .atOnce
        default: if !link.isUp { link.connect() }
        }
        if link.device(role).applying == .atOnce {
            while !link.device(role).uncommitted.isEmpty { link.device(role).commit(at: link.now) }
        }
    }

    private func check(_ link: TestLink, _ expected: Expectation, isFinal: Bool, _ seed: UInt64) {
        for (sender, receiver) in [(LinkRole.watch, LinkRole.phone), (.phone, .watch)] {
            let applied = link.device(receiver).store.appliedQueue
            let issued = expected.queued[sender, default: []]
            #expect(applied == Array(issued.prefix(applied.count)), "in order and once; TAPLINE_SEED=\(seed)")
            guard isFinal else { continue }
            #expect(applied.count == issued.count, "every one; TAPLINE_SEED=\(seed)")
            #expect(link.device(sender).store.outbox.isEmpty, "TAPLINE_SEED=\(seed)")
            #expect(link.device(receiver).store.appliedValues == expected.values[sender], "TAPLINE_SEED=\(seed)")
            #expect(link.device(sender).session.isSynchronized, "TAPLINE_SEED=\(seed)")
        }
    }

    @Test func `queued messages are applied once and in order, the newest value wins, whatever is cut and killed`() {
        withSeeds(60, "random walk") { random, seed in
            let link = TestLink()
            var expected = Expectation()
            for round in 0..<1_500 {
                step(link, &expected, &random)
                if round.isMultiple(of: 50) { check(link, expected, isFinal: false, seed) }
            }
            link.capacity = .max
            link.cut()
            link.connect()
            for _ in 0..<200 {
                link.settle()
                for role in [LinkRole.watch, .phone] {
                    while !link.device(role).uncommitted.isEmpty { link.device(role).commit(at: link.now) }
                }
            }
            let faults = (link.watch.events + link.phone.events).filter(\.isFault)
            #expect(faults.isEmpty, "neither side breaks the protocol; TAPLINE_SEED=\(seed)")
            check(link, expected, isFinal: true, seed)
        }
    }
}

extension SessionEvent {
    var isFault: Bool {
        switch self {
        case .closed(.protocolFault), .closed(.historyLost), .closed(.otherVersion): true
        case .closed(.peerLeft(let goodbye)): goodbye.reason != .goingAway
        case .none, .helloArrived, .opened, .message, .duplicate, .interactive, .reply, .file, .acknowledged, .closed:
            false
        }
    }
}
