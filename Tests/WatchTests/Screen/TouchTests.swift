import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import Watch

struct TouchTests {
    private func y(_ row: Int, _ line: Int = 12) -> Int16 { Int16(RowGeometry.rowTop(row) + line) }

    @Test func `a tap acts when the finger lifts, and its times count from there`() throws {
        let bench = try WatchBench.connected(items: 20, for: .milliseconds(100))
        bench.send(.touch(row: 1))
        bench.run(for: .milliseconds(300))
        #expect(bench.screen.rows[1].state == .waiting && bench.snapshot.taps.isEmpty)
        let lifted = bench.clock.now
        bench.send(.lifted(row: 1))
        #expect(bench.screen.rows[1].state == .struck)
        let tap = try #require(bench.snapshot.taps.first)
        let touch = try #require(tap.time(of: .touch))
        // While a finger is down, the touch controller scans more often than at rest.
        #expect(touch >= lifted && touch - lifted <= bench.profile.touch.scanInterval)
        #expect(try #require(tap.tapToUpdate) < .milliseconds(1))
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs == [2])
    }

    @Test func `a drag scrolls the list both ways up to its ends, and taps nothing`() throws {
        let bench = try WatchBench.connected(for: .milliseconds(100))
        bench.send(.touch(x: 70, y: 160))
        bench.send(.moved(x: 70, y: 100))
        #expect(bench.screen.firstVisibleRow == 2)
        bench.send(.moved(x: 70, y: 30))
        #expect(bench.screen.firstVisibleRow == 10 - RowGeometry.rowsVisible)
        bench.send(.moved(x: 70, y: 70))
        #expect(bench.screen.firstVisibleRow == 3)
        bench.send(.lifted(x: 70, y: 167))
        #expect(bench.screen.firstVisibleRow == 0)
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs.isEmpty && bench.screen.screen == .list)
    }

    @Test func `a long press shows the full title, the lift leaves it there, and a drag reads on`() throws {
        let bench = try WatchBench.connected(items: 20, for: .milliseconds(100))
        bench.send(.touch(row: 2))
        bench.run(for: .milliseconds(520))
        #expect(bench.screen.screen == .fullTitle && bench.screen.fullTitle == "Item 3")
        bench.send(.lifted(row: 2))
        #expect(bench.screen.screen == .fullTitle)
        bench.send(.touch(x: 70, y: 150))
        bench.send(.moved(x: 70, y: 102))
        #expect(bench.screen.fullTitle == "Item 5")
        bench.send(.moved(x: 70, y: 126))
        #expect(bench.screen.fullTitle == "Item 4")
        bench.send(.lifted(x: 70, y: 126))
        #expect(bench.screen.screen == .fullTitle)
        bench.tap(x: 70, y: 100)
        #expect(bench.screen.screen == .list)
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs.isEmpty)
    }

    @Test func `the watch wakes up for a long press while nothing else happens, and no sooner`() throws {
        let bench = try WatchBench(items: 0, handler: ShippingHandler())
        bench.send(.touch(x: 70, y: 60))
        bench.run(for: .seconds(2))
        #expect(bench.screen.screen == .list)
        bench.send(.lifted(x: 70, y: 60))
        let full = try WatchBench.connected(items: 20, for: .milliseconds(100))
        full.send(.touch(row: 0))
        full.run(for: .milliseconds(480))
        #expect(full.screen.screen == .list)
        full.run(for: .milliseconds(30))
        #expect(full.screen.screen == .fullTitle)
    }

    @Test func `the list changes under the finger: the lift means the item on which it came down`() throws {
        let bench = try WatchBench.connected(items: 20, for: .milliseconds(100))
        bench.send(.touch(row: 3))
        bench.onPhone { $0.remove(1) }
        bench.run(for: .milliseconds(200))
        #expect(bench.titles[3] == "Item 5")
        bench.send(.lifted(row: 3))
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs == [4])
    }

    @Test func `where that item has gone the lift means nothing, and a long press neither`() throws {
        let bench = try WatchBench.connected(items: 20, for: .milliseconds(100))
        for _ in 0..<2 {
            bench.send(.touch(row: 3))
            let item = try #require(bench.screen.row(at: 3)?.id)
            bench.onPhone { $0.remove(item) }
            bench.run(for: .milliseconds(200))
            bench.send(.lifted(row: 3))
        }
        bench.send(.touch(row: 3))
        let item = try #require(bench.screen.row(at: 3)?.id)
        bench.onPhone { $0.remove(item) }
        bench.run(for: .seconds(1))
        #expect(bench.screen.screen == .list)
        bench.send(.lifted(row: 3))
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs.isEmpty && bench.screen.screen == .list)
    }

    @Test func `the held row goes under a finger that rests on another one, which is then tapped`() throws {
        let bench = try WatchBench.connected(items: 20, for: .milliseconds(100))
        bench.tap(0)
        bench.run(for: .milliseconds(100))
        bench.send(.touch(row: 2))
        bench.run(for: .milliseconds(300))
        #expect(bench.titles.first == "Item 2")
        bench.send(.lifted(row: 2))
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs == [1, 3])
    }

    @Test func `a double tap whose second lift comes after the row has gone is one tap`() throws {
        let bench = try WatchBench.connected(items: 20, for: .milliseconds(100))
        bench.tap(0)
        bench.run(for: .milliseconds(200))
        bench.send(.touch(row: 0))
        bench.run(for: .milliseconds(100))
        #expect(bench.titles.first == "Item 2")
        bench.send(.lifted(row: 0))
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs == [1])
    }

    @Test func `buttons and the title bar act on the lift, where it is still on them`() throws {
        let bench = try WatchBench.connected(items: 20, for: .milliseconds(100))
        bench.send(.touch(x: 70, y: 20))
        #expect(bench.screen.screen == .list)
        bench.send(.lifted(x: 70, y: 26))
        #expect(bench.screen.screen == .list)
        bench.send(.touch(x: 70, y: 20))
        bench.send(.lifted(x: 70, y: 16))
        #expect(bench.screen.screen == .status)
    }

    @Test(arguments: [Input.crown(detents: 1), .press(.side), .hold(.crown), .pairing(.compare(digits: 7))])
    func `what the wearer or a phone does meanwhile takes the touch back`(_ input: Input) throws {
        let bench = try WatchBench.connected(items: 20, for: .milliseconds(100))
        bench.send(.touch(row: 1))
        bench.send(input)
        let screen = bench.screen.screen
        bench.send(.lifted(row: 1))
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs.isEmpty && bench.screen.screen == screen)
    }

    @Test func `a finger that moves on the face changes nothing, up and down or sideways, and a tap opens the list`()
        throws
    {
        let bench = try WatchBench.connected(items: 20, for: .milliseconds(100))
        bench.send(.press(.crown))
        for (x, y) in [(70, 20), (70, 150), (10, 80), (140, 80)] as [(Int16, Int16)] {
            bench.send(.touch(x: 70, y: 80))
            bench.send(.moved(x: x, y: y))
            bench.send(.lifted(x: x, y: y))
            #expect(bench.screen.screen == .face && bench.screen.travel == nil)
        }
        bench.tap(x: 70, y: 80)
        #expect(bench.screen.screen == .list)
    }

    /// Sends random inputs, and changes the list on the phone. An item may be checked off only if a finger came down on
    /// its row and then lifted from the same row of the panel. Between the touch and the lift, the finger may only
    /// move.
    @Test(arguments: [UInt64.random(in: 0...(.max)), 1, 2, 3])
    func `nothing is checked off whose row was not both pressed and released`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bench = try WatchBench.connected(items: 40, for: .milliseconds(100))
        var next: UInt32 = 1_000
        var allowed: Set<UInt32> = []
        var pressed: (item: UInt32, row: Int)?
        for _ in 0..<600 {
            let (x, y) = (Int16.random(in: -4...148, using: &random), Int16.random(in: 0...170, using: &random))
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3:
                let row = RowGeometry.row(atY: Int(y))
                // A touch waits until the panel is stable. This waits first, so that `pressed` is the row that the
                // touch hits.
                bench.watch.waitUntilTouchable()
                pressed = row.flatMap { row in
                    bench.screen.screen == .list ? bench.screen.row(at: row).map { ($0.id, row) } : nil
                }
                bench.send(.touch(x: x, y: y))
            case 4, 5: bench.send(.moved(x: x, y: y))
            case 6...9:
                let isNear = Bool.random(using: &random)
                let line = pressed.map { self.y($0.row, Int.random(in: 0..<24, using: &random)) }
                let lift = isNear ? line ?? y : y
                if let pressed, RowGeometry.row(atY: Int(lift)) == pressed.row { allowed.insert(pressed.item) }
                pressed = nil
                bench.send(.lifted(x: x, y: lift))
            case 10:
                pressed = nil
                bench.send(
                    [Input.crown(detents: 2), .crown(detents: -3), .press(.crown), .press(.side)]
                        .randomElement(using: &random) ?? .press(.crown))
            default:
                let removed = bench.phone.waiting.randomElement(using: &random)?.id
                next += 1
                bench.onPhone { phone in
                    if let removed { phone.remove(removed) }
                    phone.add(PhoneItem(id: next, title: "Item \(next)"))
                }
            }
            bench.run(for: .milliseconds(.random(in: 0...300, using: &random)))
        }
        bench.run(for: .seconds(5))
        #expect(Set(bench.checkOffs).subtracting(allowed).isEmpty, "seed \(seed)")
        // With these seeds, items are checked off. With a random seed, the inputs may stay on other screens.
        if [1, 2, 3].contains(seed) { #expect(!bench.checkOffs.isEmpty, "seed \(seed)") }
    }
}
