import DeviceModel
import Testing
import WatchLink

@testable import Watch

/// What the phone sends while a struck row is under the finger is on the panel when the row has gone.
@Suite struct HeldRowsTests {
    private func expectPanelIsRight(after change: (SimulatedPhone) -> Void) throws {
        let bench = try WatchBench(phone: SimulatedPhone(items: 20), handler: ShippingHandler())
        bench.connect()
        bench.tap(1)
        bench.onPhone(change)
        bench.run(for: .seconds(1))
        let frame = bench.snapshot.frame
        // Two presses of the crown draw everything anew.
        bench.send(.press(.crown))
        bench.send(.press(.crown))
        bench.run(for: .seconds(1))
        #expect(bench.snapshot.frame == frame)
    }

    @Test func `A row that is renamed meanwhile`() throws {
        try expectPanelIsRight { $0.rename(4, to: "Something else") }
    }

    @Test func `An item that comes far below`() throws {
        try expectPanelIsRight { $0.add(PhoneItem(id: 99, title: "Later")) }
    }

    @Test func `An item that comes in between`() throws {
        try expectPanelIsRight { $0.add(PhoneItem(id: 99, title: "Sooner"), rank: 40) }
    }

    @Test func `A row that goes meanwhile`() throws {
        try expectPanelIsRight { $0.remove(3) }
    }

    @Test func `An item that is put back meanwhile waits again in its row`() throws {
        let bench = try WatchBench(
            phone: SimulatedPhone(items: 20), handler: ShippingHandler(), datagramTime: .milliseconds(10))
        bench.connect()
        bench.run(for: .seconds(1))
        bench.tap(1)
        bench.run(for: .milliseconds(100))
        #expect(bench.checkOffs == [2])
        #expect(bench.screen.rows[1].state == .struck)
        bench.onPhone { phone in
            phone.remove(2)
            phone.add(PhoneItem(id: 2, title: "Item 2"), rank: 32)
        }
        bench.run(for: .seconds(1))
        #expect(Set(bench.titles) == Set((1...20).map { "Item \($0)" }))
        #expect(bench.screen.rows.allSatisfy { $0.state == .waiting })
        #expect(bench.screen.remaining == 20)
        let frame = bench.snapshot.frame
        bench.send(.press(.crown))
        bench.send(.press(.crown))
        bench.run(for: .seconds(1))
        #expect(bench.snapshot.frame == frame)
    }
}
