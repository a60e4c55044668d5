import DeviceModel
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct OutboxTests {
    private let memory = PartMemory()

    private func outbox() -> Outbox {
        var arena = memory.arena
        return Outbox(arena: &arena)
    }

    private func check(_ id: UInt32) -> OutboxMessage { .checkOff(ItemID(id), at: nil) }

    private func waiting(_ outbox: Outbox) -> [OutboxMessage?] {
        (0..<outbox.count).map { outbox.message(outbox.acknowledgedSequence + 1 + UInt32($0))?.message }
    }

    @Test func `messages are numbered from 1 and kept in their order`() {
        var outbox = outbox()
        #expect((1...3).map { outbox.append(check($0)) } == [1, 2, 3])
        #expect(outbox.nextSequence == 4)
    }

    @Test func `after the last number there is none`() {
        var outbox = outbox()
        outbox.reset(after: OutboxEnd(sequence: .max - 1, origin: nil))
        #expect(outbox.append(check(1)) == .max)
        #expect(outbox.nextSequence == nil && outbox.append(check(2)) == nil)
        #expect(waiting(outbox) == [check(1)])
    }

    @Test func `a full outbox refuses a message`() {
        var outbox = outbox()
        for id in 1...UInt32(WatchLimits.outbox) { outbox.append(check(id)) }
        #expect(outbox.append(check(999)) == nil && outbox.isFull)
        _ = outbox.popAcknowledged(upTo: 1)
        #expect(outbox.append(check(999)) == 193)
    }

    @Test(arguments: [nil, LocalTime(seconds: 1_763_629_260)], [nil, TapNumber(1), TapNumber(0x0FFF_FFFF)])
    func `a slot holds time and tap, or their absence`(time: LocalTime?, tap: TapNumber?) {
        var outbox = outbox()
        outbox.append(.checkOff(ItemID(.max), at: time), tap: tap)
        outbox.append(.reload(token: .max), tap: tap)
        #expect(waiting(outbox) == [.checkOff(ItemID(.max), at: time), .reload(token: .max)])
        #expect(outbox.message(1)?.tap == tap && outbox.message(2)?.tap == tap)
    }

    @Test func `a message that is sent again tells its tap once, and its last departure`() {
        var outbox = outbox()
        outbox.append(check(1), tap: TapNumber(7))
        outbox.append(check(2), tap: TapNumber(8))
        #expect(outbox.markSent(1, at: Instant(microseconds: 10)) == TapNumber(7))
        #expect(outbox.markSent(1, at: Instant(microseconds: 20)) == nil)
        let sent = outbox.popAcknowledged(upTo: 2)
        #expect(sent?.tap == TapNumber(7) && sent?.sentAt == Instant(microseconds: 20))
        let unsent = outbox.popAcknowledged(upTo: 2)
        #expect(unsent?.tap == TapNumber(8) && unsent?.sentAt == nil)
        let none = outbox.popAcknowledged(upTo: 2)
        #expect(none == nil && outbox.isEmpty)
    }

    @Test func `a check-off keeps its item until it is acknowledged`() {
        var outbox = outbox()
        outbox.append(check(5))
        outbox.append(.reload(token: 6))
        #expect(outbox.holdsCheckOff(of: ItemID(5)) && !outbox.holdsCheckOff(of: ItemID(6)))
        #expect(!outbox.holdsCheckOff(of: ItemID(5), above: 1))
        _ = outbox.popAcknowledged(upTo: 1)
        #expect(!outbox.holdsCheckOff(of: ItemID(5)))
    }

    @Test func `messages come back from the journal in any order and more than once`() {
        var generator = SplitMix64(seed: Seed.printed(for: "OutboxTests"))
        for _ in 0..<20 {
            var outbox = outbox()
            outbox.reset(after: OutboxEnd(sequence: 40, origin: nil))
            let numbers = (41...60).flatMap { [$0, $0] as [UInt32] }.shuffled(using: &generator)
            for number in numbers { outbox.restore(check(number), sequence: number) }
            #expect(waiting(outbox) == (41...60).map { check($0) })
            #expect(outbox.nextSequence == 61)
        }
    }

    @Test func `what exceeds the outbox has been acknowledged`() {
        var outbox = outbox()
        for number in 1...UInt32(WatchLimits.outbox + 10) { outbox.restore(check(number), sequence: number) }
        #expect(outbox.acknowledgedSequence == 10 && outbox.count == WatchLimits.outbox)
    }
}

struct FullOutboxTests {
    private struct TwiceTelling: ComposedTapHandler {
        var stages: some TapHandler {
            Immediate(ListModel.self)
            Immediate(RowRemoval.self)
            Immediate(PhoneMessage.self)
            Deferred(PhoneMessage.self)
        }
    }

    private struct AskingFirst: ComposedTapHandler {
        var stages: some TapHandler {
            Immediate(ReloadingComplication.self)
            Immediate(ListModel.self)
            Immediate(RowRemoval.self)
            Deferred(PhoneMessage.self)
        }
    }

    /// Returns a watch without its phone, after 130 taps on the first row. By then the outbox is full or the list is
    /// empty.
    private func tapped<Handler: TapHandler>(_ handler: Handler) throws -> WatchBench<Handler> {
        let bench = try WatchBench(phone: InMemoryPhone(items: 128), handler: handler)
        bench.connect()
        bench.radio.cut()
        for _ in 0..<130 {
            bench.tap(0)
            bench.run(for: .milliseconds(300))
        }
        return bench
    }

    @Test func `a message for which there is no room is felt as a failure`() throws {
        let bench = try tapped(TwiceTelling())
        #expect(bench.snapshot.haptics.pulses.contains { $0.pattern == .failure })
        bench.connect()
        #expect(bench.screen.isSynchronized)
        #expect(Set(bench.phone.checkOffs.map(\.id)).count >= 96)
        #expect(bench.titles == bench.phone.waiting.map(\.title))
    }

    @Test func `a request leaves room for the message of its tap`() throws {
        let bench = try tapped(AskingFirst())
        bench.connect()
        // The phone answers each request of the watch with the whole list.
        var waits = 0
        while waits < 20, bench.titles != bench.phone.waiting.map(\.title) {
            bench.run(for: .seconds(60))
            waits += 1
        }
        #expect(Set(bench.phone.checkOffs.map(\.id)).count >= 96)
        #expect(bench.titles == bench.phone.waiting.map(\.title))
    }
}

extension Outbox {
    @discardableResult
    mutating func append(_ message: OutboxMessage, tap: TapNumber? = nil) -> UInt32? {
        append(message, tap: tap, origin: 1)
    }

    mutating func restore(_ message: OutboxMessage, sequence: UInt32) {
        restore(message, sequence: sequence, origin: 1)
    }
}
