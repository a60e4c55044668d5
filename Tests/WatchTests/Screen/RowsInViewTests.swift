import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import Watch

struct RowsInViewTests {
    private let bench: WatchBench<ShippingHandler>

    /// Scrolls a list of 30 items so that item 13 is the first row in view.
    init() throws {
        bench = try WatchBench.connected(items: 30, for: .milliseconds(100))
        bench.send(.crown(detents: 12))
        bench.run(for: .milliseconds(100))
    }

    private var shown: [String] { (0..<RowGeometry.rowsVisible).compactMap { bench.screen.row(at: $0)?.title } }

    /// The pixels of the rows. The last byte of each line is left out, because it has the scroll indicator.
    private var picture: [ArraySlice<UInt8>] {
        (RowGeometry.titleBarHeight..<RowGeometry.rowTop(RowGeometry.rowsVisible)).map {
            bench.snapshot.frame.line($0).dropLast()
        }
    }

    private func items(_ numbers: [Int]) -> [String] { numbers.map { "Item \($0)" } }

    /// Changes the list, and expects rows for these items on the panel. Then lets the watch redraw the whole list, and
    /// expects the same pixels.
    private func expect(_ numbers: [Int], after change: (InMemoryPhone) -> Void) {
        bench.onPhone(change)
        bench.run(for: .seconds(1))
        #expect(shown == items(numbers))
        let frame = bench.snapshot.frame
        bench.tap(x: 40, y: 5)
        bench.run(for: .milliseconds(100))
        bench.send(.press(.crown))
        bench.run(for: .milliseconds(100))
        #expect(shown == items(numbers))
        #expect(bench.snapshot.frame == frame)
    }

    private static func move(_ id: UInt32, to rank: UInt32) -> (InMemoryPhone) -> Void {
        { phone in
            phone.remove(id)
            phone.add(PhoneItem(id: id, title: "Item \(id)"), rank: rank)
        }
    }

    @Test func `rows that go or come above the view move nothing`() {
        let before = picture
        expect([13, 14, 15, 16, 17, 18]) { $0.remove(3) }
        expect([13, 14, 15, 16, 17, 18]) { $0.add(PhoneItem(id: 99, title: "First"), rank: 1) }
        expect([13, 14, 15, 16, 17, 18]) { $0.add(PhoneItem(id: 98, title: "Just above"), rank: 12 * 1_024 + 1) }
        expect([13, 14, 15, 16, 17, 18], after: Self.move(5, to: 1_025))
        expect([13, 14, 15, 16, 17, 18], after: Self.move(1, to: 29 * 1_024 + 1))
        expect([13, 14, 15, 16, 17, 18], after: Self.move(30, to: 2))
        expect([13, 14, 15, 16, 17, 18]) { phone in for id in 6...9 { phone.remove(UInt32(id)) } }
        #expect(picture == before)
    }

    @Test func `a row in view that goes or moves leaves those above it in place`() {
        expect([13, 14, 16, 17, 18, 19]) { $0.remove(15) }
        expect([13, 14, 17, 18, 19, 20], after: Self.move(16, to: 1))
        expect([13, 14, 17, 18, 19, 20], after: Self.move(13, to: 13 * 1_024 + 1))
        // The first row in view moves away, and the row above it takes its place.
        expect([12, 14, 17, 18, 19, 20], after: Self.move(13, to: 2))
        expect([14, 17, 18, 19, 20, 21]) { $0.remove(12) }
    }

    @Test func `at the top of the list what comes there is seen`() {
        bench.send(.crown(detents: -100))
        bench.run(for: .milliseconds(100))
        bench.onPhone { $0.add(PhoneItem(id: 99, title: "First"), rank: 1) }
        bench.run(for: .seconds(1))
        #expect(shown == ["First"] + items([1, 2, 3, 4, 5]))
    }

    @Test func `rows stay while a sheet is over them`() {
        bench.tap(x: 40, y: 5)
        bench.onPhone { $0.remove(3) }
        bench.run(for: .seconds(1))
        #expect(bench.screen.screen == .status)
        bench.send(.press(.crown))
        #expect(shown == items([13, 14, 15, 16, 17, 18]))
    }

    @Test func `a list that has become short is at its end`() {
        bench.onPhone { phone in for id in 10...29 { phone.remove(UInt32(id)) } }
        bench.run(for: .seconds(1))
        #expect(shown == items([5, 6, 7, 8, 9, 30]))
    }

    @Test func `no row slides below a finger, which taps the one that it is on`() throws {
        let before = picture
        bench.send(.touch(row: 2))
        bench.onPhone { $0.remove(14) }
        bench.run(for: .milliseconds(300))
        #expect(picture == before)
        bench.send(.lifted(row: 2))
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs == [15])
        #expect(shown == items([13, 16, 17, 18, 19, 20]))
        #expect(picture != before)
    }

    @Test func `what waited for a finger is on the panel when the finger has slid away`() {
        let before = picture
        bench.send(.touch(x: 40, y: 80))
        bench.send(.moved(x: 60, y: 80))
        bench.onPhone { $0.remove(14) }
        bench.run(for: .seconds(1))
        #expect(picture == before)
        bench.send(.lifted(x: 75, y: 100))
        bench.run(for: .milliseconds(100))
        #expect(picture != before && bench.checkOffs.isEmpty)
        #expect(shown == items([13, 15, 16, 17, 18, 19]))
    }

    @Test func `past items stay below a finger`() throws {
        bench.onPhone { $0.offer((101...108).map { PhoneItem(id: $0, title: "Past \($0)") }) }
        bench.run(for: .seconds(1))
        bench.send(.swipe(1))
        bench.run(for: .milliseconds(100))
        let before = picture
        bench.send(.touch(row: 1))
        bench.onPhone { $0.offer((102...108).map { PhoneItem(id: $0, title: "Past \($0)") }) }
        bench.run(for: .milliseconds(300))
        #expect(picture == before)
        bench.send(.lifted(row: 1))
        bench.run(for: .milliseconds(100))
        #expect(picture != before)
    }
}
