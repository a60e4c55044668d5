import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

struct PhoneLinkTests {
    private func bench(items: Int) throws -> WatchBench<ShippingHandler> {
        try WatchBench(phone: SimulatedPhone(items: items), handler: ShippingHandler())
    }

    @Test func `the watch is given the first 128 items and told how many more there are`() throws {
        let bench = try bench(items: 10_000)
        bench.connect()
        #expect(bench.titles == (1...128).map { "Item \($0)" })
        #expect(bench.screen.more == 9_872)
        #expect(bench.screen.remaining == 10_000)
    }

    @Test func `the list tops up from the phone as rows go`() throws {
        let bench = try bench(items: 130)
        bench.connect()
        for _ in 0..<3 {
            bench.tap(0)
            bench.run(for: .seconds(1))
        }
        #expect(bench.titles == (4...130).map { "Item \($0)" })
        #expect(bench.screen.more == 0)
    }

    @Test func `check offs made out of reach arrive once when the phone is back`() throws {
        let bench = try bench(items: 8)
        bench.connect()
        bench.radio.cut()
        for _ in 0..<3 {
            bench.tap(0)
            bench.run(for: .seconds(1))
        }
        #expect(bench.phone.checkOffs.isEmpty)
        #expect(bench.screen.waitingMessages == 3)
        bench.connect()
        #expect(bench.phone.checkOffs.map(\.id) == [1, 2, 3])
        #expect(bench.screen.waitingMessages == 0)
    }

    @Test func `a tap is as fast without a phone`() throws {
        let near = try bench(items: 8)
        near.connect()
        near.tap(0)
        let far = try bench(items: 8)
        far.connect()
        far.radio.cut()
        far.run(for: .seconds(1))
        far.tap(0)
        let (with, without) = (
            try #require(near.snapshot.taps.first?.tapToUpdate), try #require(far.snapshot.taps.first?.tapToUpdate)
        )
        // Instructions before the tap leave a part of a microsecond, which counts with those of the tap: before its
        // lines leave, and after they have arrived.
        #expect(max(with, without) <= min(with, without) + Microseconds(2))
    }

    @Test func `what is added on the phone is on the watch`() throws {
        let bench = try bench(items: 2)
        bench.connect()
        bench.onPhone { $0.add(PhoneItem(id: 77, title: "Crème fraîche")) }
        bench.run(for: .milliseconds(100))
        #expect(bench.titles == ["Item 1", "Item 2", "Crème fraîche"])
        bench.onPhone { $0.rename(77, to: "Sour cream") }
        bench.onPhone { $0.remove(1) }
        bench.run(for: .milliseconds(100))
        #expect(bench.titles == ["Item 2", "Sour cream"])
    }

    @Test func `rows stay under the finger while the phone changes the list`() throws {
        let bench = try bench(items: 6)
        bench.connect()
        bench.tap(1)
        let framed = bench.snapshot.frame
        bench.onPhone { $0.remove(1) }
        bench.run(for: .milliseconds(100))
        #expect((48..<168).allSatisfy { bench.snapshot.frame.line($0) == framed.line($0) })
        bench.run(for: .milliseconds(300))
        #expect(bench.titles == ["Item 3", "Item 4", "Item 5", "Item 6"])
    }

    @Test func `an item that the phone takes off while it is struck is counted once`() throws {
        let bench = try bench(items: 6)
        bench.connect()
        bench.tap(1)
        bench.onPhone { $0.remove(2) }
        bench.run(for: .milliseconds(100))
        #expect(bench.screen.remaining == 5)
        bench.run(for: .milliseconds(300))
        #expect(bench.screen.remaining == 5)
        #expect(bench.titles.count == 5)
    }

    @Test func `a silent phone is found within the supervision time`() throws {
        let bench = try bench(items: 2)
        bench.connect()
        bench.radio.loseEverything()
        let cut = bench.clock.now
        #expect(bench.run(until: { $0.link == .down }))
        #expect(bench.clock.now - cut <= LinkTiming().supervision + .milliseconds(50))
    }

    @Test(arguments: 1...20) func `check offs survive cuts and restarts exactly once`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bench = try bench(items: 60)
        bench.connect()
        for _ in 0..<50 {
            bench.tap(Int.random(in: 0..<3, using: &random))
            bench.run(for: .milliseconds(UInt32.random(in: 0..<300, using: &random)))
            switch Int.random(in: 0..<10, using: &random) {
            case 0: bench.radio.cut()
            case 1: bench.radio.connect()
            case 2:
                bench.run(for: .milliseconds(20))
                try bench.restart()
            case _: break
            }
        }
        bench.radio.connect()
        #expect(bench.run(until: { $0.description.isSynchronized }))
        bench.run(for: .seconds(1))
        let ids = bench.phone.checkOffs.map(\.id)
        #expect(Set(ids).count == ids.count, "seed \(seed)")
        #expect(bench.titles == bench.phone.waiting.map(\.title), "seed \(seed)")
    }
}

struct OtherPhoneTests {
    private typealias Bench = WatchBench<ShippingHandler>

    /// A watch that has checked off two items, both as message 1, each of its run, and its phone as it was after the first.
    private func numberedTwice() throws -> (watch: Bench, phone: SimulatedPhone) {
        let bench = try Bench.connected(for: .seconds(2))
        let older = bench.flash.contents
        bench.tapAndWait(0)
        bench.flash.change { $0 = older }
        try bench.restart()
        bench.connect()
        let copy = SimulatedPhone(restoredFrom: bench.phone)
        bench.tapAndWait(0)
        #expect(bench.checkOffs == [1, 2] && copy.checkOffs.map(\.id) == [1])
        return (bench, copy)
    }

    @Test func `a check-off is told as lost although an older flash has used its number before`() throws {
        let (bench, copy) = try numberedTwice()
        let restored = try bench.joined(to: copy)
        #expect(restored.screen.notice == .phoneRestored)
        restored.expectAgreement()
    }

    @Test func `a watch that comes back from another phone remembers the run of its last message`() throws {
        let (bench, copy) = try numberedTwice()
        let other = try bench.joined(
            to: SimulatedPhone(list: "Office", items: [PhoneItem(id: 1, title: "Pens")], seed: 9))
        #expect(other.titles == ["Pens"])
        let restored = try other.joined(to: copy)
        #expect(restored.screen.notice == .phoneRestored)
        restored.expectAgreement()
    }

    @Test func `a watch with nothing waiting becomes another phone's, and keeps nothing of the first`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        bench.tapAndWait(0)
        let items = [PhoneItem(id: 1, title: "Pens"), PhoneItem(id: 77, title: "Paper")]
        let other = try bench.joined(to: SimulatedPhone(list: "Office", items: items, seed: 9))
        #expect(other.titles == ["Pens", "Paper"])
        other.expectAgreement()
        other.tapAndWait(0)
        #expect(other.phone.checkOffs.map(\.id) == [1])
        try other.restart()
        #expect(other.titles == ["Paper"] && other.screen.title == "Office")
    }
}
