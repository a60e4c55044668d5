import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

struct PhoneLinkTests {
    private func bench(items: Int) throws -> WatchBench<ShippingHandler> {
        try WatchBench(phone: InMemoryPhone(items: items), handler: ShippingHandler())
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
}

struct OtherPhoneTests {
    private typealias Bench = WatchBench<ShippingHandler>

    /// Returns a watch that has sent two check-offs, both with message number 1, in two runs. The phone is a copy from
    /// before the second check-off.
    private func numberedTwice() throws -> (watch: Bench, phone: InMemoryPhone) {
        let bench = try Bench.connected(for: .seconds(2))
        let older = bench.flash.contents
        bench.tapAndWait(0)
        bench.flash.change { $0 = older }
        try bench.restart()
        bench.connect()
        let copy = InMemoryPhone(restoredFrom: bench.phone)
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
            to: InMemoryPhone(list: "Office", items: [PhoneItem(id: 1, title: "Pens")], seed: 9))
        #expect(other.titles == ["Pens"])
        let restored = try other.joined(to: copy)
        #expect(restored.screen.notice == .phoneRestored)
        restored.expectAgreement()
    }

    @Test func `a watch with nothing waiting becomes another phone's, and keeps nothing of the first`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        bench.tapAndWait(0)
        let items = [PhoneItem(id: 1, title: "Pens"), PhoneItem(id: 77, title: "Paper")]
        let other = try bench.joined(to: InMemoryPhone(list: "Office", items: items, seed: 9))
        #expect(other.titles == ["Pens", "Paper"])
        other.expectAgreement()
        other.tapAndWait(0)
        #expect(other.phone.checkOffs.map(\.id) == [1])
        try other.restart()
        #expect(other.titles == ["Paper"] && other.screen.title == "Office")
    }
}
