import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import Watch

/// After a tap, the watch holds the row: the row stays on the panel for a moment, struck through. Changes that the
/// phone sends in that time must be on the panel when the row has gone.
struct HeldRowsTests {
    private func expectPanelIsRight(after change: (InMemoryPhone) -> Void) throws {
        let bench = try WatchBench.connected(items: 20)
        bench.tap(1)
        bench.onPhone(change)
        bench.run(for: .seconds(1))
        bench.expectPanelIsAsDrawnAnew()
    }

    @Test func `a row that is renamed while another is held is right on the panel`() throws {
        try expectPanelIsRight { $0.rename(4, to: "Something else") }
    }

    @Test func `an item that comes far below a held row is right on the panel`() throws {
        try expectPanelIsRight { $0.add(PhoneItem(id: 99, title: "Later")) }
    }

    @Test func `an item that comes between the rows while one is held is right on the panel`() throws {
        try expectPanelIsRight { $0.add(PhoneItem(id: 99, title: "Sooner"), rank: 40) }
    }

    @Test func `a row that goes while another is held is gone from the panel`() throws {
        try expectPanelIsRight { $0.remove(3) }
    }

    @Test func `an item that is put back while its row is held waits again in its row`() throws {
        let bench = try WatchBench(
            phone: InMemoryPhone(items: 20), handler: ShippingHandler(), datagramTime: .milliseconds(10))
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
        bench.expectPanelIsAsDrawnAnew()
    }
}

/// A message from the phone must not redraw unchanged rows, because a tap would wait for the drawing.
struct UnchangedRowsTests {
    /// Returns the number of lines that the watch sends to the panel after a change on the phone. If the list is not
    /// scrolled, expects the panel to look as if all of it were drawn anew.
    private func lines(
        items: Int = 20, scrolledBy detents: Int8 = 0, after change: (InMemoryPhone) -> Void
    ) throws -> Int {
        let bench = try WatchBench.connected(items: items, for: .seconds(5))
        if detents != 0 { bench.send(.crown(detents: detents)) }
        bench.run(for: .seconds(1))
        let before = bench.work.panelLines
        bench.onPhone(change)
        bench.run(for: .seconds(1))
        let sent = bench.work.panelLines - before
        if detents == 0 { bench.expectPanelIsAsDrawnAnew() }
        return sent
    }

    @Test func `an item far below changes the number in the title bar and the scroll indicator alone`() throws {
        let sent = try lines { $0.add(PhoneItem(id: 99, title: "Later")) }
        #expect((1...TitleDigits.height + 40).contains(sent))
        // In a list this long, one more item does not change the scroll indicator.
        #expect(try lines(items: 100) { $0.add(PhoneItem(id: 101, title: "Later")) } == TitleDigits.height)
    }

    @Test func `a number with another digit has the room of the list's name, and the name is drawn again`() throws {
        #expect(try lines(items: 99) { $0.add(PhoneItem(id: 101, title: "Later")) } > TitleDigits.height)
    }

    @Test func `a row that is renamed, that comes or that goes is on the panel`() throws {
        #expect(try lines { $0.rename(4, to: "Something else") } > RowGeometry.titleBarHeight)
        #expect(try lines { $0.add(PhoneItem(id: 99, title: "Sooner"), rank: 40) } > RowGeometry.titleBarHeight)
        #expect(try lines { $0.remove(3) } > RowGeometry.titleBarHeight)
    }

    @Test func `an item behind the last row of a short list is on the panel`() throws {
        #expect(try lines(items: 3) { $0.add(PhoneItem(id: 99, title: "Later")) } > 8)
        #expect(try lines(items: 6) { $0.add(PhoneItem(id: 99, title: "Later")) } > 8)
        #expect(try lines(items: 7) { $0.remove(7) } > 8)
    }

    @Test func `above the rows of a list that was scrolled down something goes, and they move`() throws {
        #expect(try lines(scrolledBy: 10) { $0.remove(2) } > RowGeometry.titleBarHeight)
    }

    @Test func `a tap that the phone confirms draws the title bar again, and no row`() throws {
        let bench = try WatchBench(
            phone: InMemoryPhone(items: 128), handler: ShippingHandler(), datagramTime: .seconds(1))
        bench.connect()
        bench.run(for: .seconds(60))
        bench.tap(0)
        bench.run(for: .milliseconds(500))
        let settled = bench.work.panelLines
        bench.run(for: .seconds(20))
        #expect(bench.screen.isSynchronized)
        #expect(bench.work.panelLines - settled <= 2 * RowGeometry.titleBarHeight)
    }
}

extension WatchBench<ShippingHandler> {
    /// Expects that the picture stays the same when all of it is drawn again. Two presses of the crown cause that: they
    /// open the face, and then the list.
    func expectPanelIsAsDrawnAnew(sourceLocation: SourceLocation = #_sourceLocation) {
        let frame = snapshot.frame
        send(.press(.crown))
        send(.press(.crown))
        run(for: .seconds(1))
        #expect(snapshot.frame == frame, sourceLocation: sourceLocation)
    }
}

struct StaleRegionsTests {
    private static let all: [StaleRegions] = [.nothing, .title, .rows, .listScreen, .everything]

    @Test(arguments: all, all) func `a union contains both and no more`(one: StaleRegions, other: StaleRegions) {
        var union = one
        union.insert(other)
        for region in StaleRegionsTests.all {
            let bits = one.rawValue | other.rawValue
            #expect(union.contains(region) == (bits & region.rawValue == region.rawValue))
        }
    }
}
