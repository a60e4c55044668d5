import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

/// A script reads the screen, and within microseconds it taps a row. The tap must still hit the row that the script has
/// read.
@Suite struct ScriptTouchTests {
    @Test func `a tap is for the row that the screen said just before`() throws {
        // The rows move up 250 ms after the first tap, and are on the panel a few milliseconds later.
        var said: Set<String> = []
        for length in 240...290 {
            let bench = try WatchBench.connected()
            let text = try play("tap 1\nwait \(length)ms\ndescribe\ntap 1 or nothing\nwait 1s", on: bench.watch)
            let top = try #require(text.split(separator: "\n").first { $0.hasPrefix("1 ") })
            said.insert(String(top))
            #expect(bench.checkOffs == (top == "1 [ ] Item 2" ? [1, 2] : [1]), "\(top) after \(length) ms")
        }
        #expect(said == ["1 [x] Item 1", "1 [ ] Item 2"])
    }

    @Test func `a tap after a turn of the crown is for the rows that it brought up`() throws {
        // At any phase of the touch controller's scan.
        for phase in 0..<20 as Range<UInt64> {
            let bench = try WatchBench.connected()
            bench.run(for: Microseconds(500 * phase))
            _ = try play("crown 3\ntap 2\nwait 1s", on: bench.watch)
            #expect(bench.checkOffs == [5], "\(500 * phase) us later")
        }
    }

    @Test func `several taps are of fingers that come down at once`() throws {
        let bench = try WatchBench.connected()
        _ = try play("tap 1\ntap 2\ntap 3\nwait 1s", on: bench.watch)
        #expect(bench.checkOffs == [1, 2, 3])
        let touches = bench.snapshot.taps.compactMap { $0.time(of: .touch) }
        #expect(touches.count == 3 && touches.allSatisfy { $0 == touches[0] })
    }

    @Test func `a drag scrolls and taps nothing`() throws {
        let bench = try WatchBench.connected()
        let text = try play(
            "drag 70 160 70 88\nexpect row 1 Item 4\ndrag 70 60 72 167 over 1s\nexpect row 1 Item 1\nwait 1s\ndescribe",
            on: bench.watch)
        #expect(text.contains("1 [ ] Item 1"))
        #expect(bench.checkOffs.isEmpty)
    }

    @Test func `a held row shows its title from 500 milliseconds on and is tapped before`() throws {
        let bench = try WatchBench.connected()
        _ = try play(
            "hold row 2\nexpect screen title\nexpect text Item 2\npress side\nexpect screen list", on: bench.watch)
        #expect(bench.checkOffs.isEmpty)
        let start = bench.clock.now
        _ = try play("hold row 2 for 400ms\nexpect screen list\nwait 1s", on: bench.watch)
        #expect(bench.checkOffs == [2])
        let touch = try #require(bench.snapshot.taps.first?.time(of: .touch))
        #expect(touch - start >= .milliseconds(400), "the finger lifts then")
    }

    @Test func `a tap behind a drag is for what it brought up`() throws {
        let bench = try WatchBench.connected()
        _ = try play("drag 70 160 70 110\ntap 1\nwait 1s", on: bench.watch)
        #expect(bench.checkOffs == [3])
    }

    @Test func `a tap that hit nothing fails the drag behind it`() throws {
        let error = failure("tap 2\ntap 2\ndrag 70 160 70 100", on: try WatchBench.connected().watch)
        #expect(error?.hasPrefix("s:2: expected tap 2") == true)
    }

    @Test(arguments: [
        // The second of two taps on the same row: at once, 20 ms later, and after other taps.
        ("tap 2\ntap 2", 2, 2, "a row that the tap of line 1 has checked off"),
        ("tap 1\nwait 20ms\ntap 1", 3, 1, "\"Item 1\", which is checked off already"),
        ("tap 3\ntap 1\ntap 3\ntap 2", 3, 3, "a row that the tap of line 1 has checked off"),
        ("tap 1\ntap 1\ncrown 1\npress crown", 2, 1, "a row that the tap of line 1 has checked off"),
        ("press crown\ntap 2\nexpect screen face", 2, 2, "screen face"),
        ("press side\ntap 1", 2, 1, "screen title"),
        ("touch 70 30\ntap 1", 2, 1, "a row on which the watch began no tap"),
        ("repeat 2\ntap 1\nend", 2, 1, "a row that the tap of line 2 has checked off"),
    ])
    func `a tap that hits nothing fails at its line`(script: String, line: Int, row: Int, found: String) throws {
        #expect(
            failure(script, on: try WatchBench.connected().watch)
                == "s:\(line): expected tap \(row) to check off a row, found \(found); allowed if it may miss: "
                + "tap \(row) or nothing")
    }

    @Test func `a tap below the last row fails`() throws {
        let bench = try WatchBench(items: 2, handler: ShippingHandler())
        bench.connect()
        #expect(
            failure("tap 3\nwait 1s", on: bench.watch)?.contains("found no row there: the last one is row 2;") == true)
        #expect(failure("tap 1\nwait until settled\ntap 2", on: bench.watch)?.hasPrefix("s:3: ") == true)
        #expect(failure("tap 1\nwait until settled\ntap 1", on: bench.watch)?.contains("found no rows;") == true)
    }

    @Test func `a tap that may hit nothing and a touch do not fail`() throws {
        let bench = try WatchBench.connected()
        #expect(failure("tap 1\ntap 1 or nothing\ntouch 1 1\ntap 2 or nothing\nwait 1s", on: bench.watch) == nil)
        #expect(bench.checkOffs == [1])
    }

    @Test func `a wait ends with the tap that hit nothing`() throws {
        let bench = try WatchBench.connected()
        let start = bench.watch.now
        #expect(failure("tap 1\ntap 1\nwait 3600s", on: bench.watch)?.hasPrefix("s:2: ") == true)
        #expect(
            failure("wait until settled\ntap 1\ntap 1\nwait until row 1 Milk 3600s", on: bench.watch)?.hasPrefix(
                "s:3: ")
                == true)
        #expect(bench.watch.now < start + .seconds(10))
    }

    @Test func `a hundred taps and more are judged`() throws {
        let bench = try WatchBench.connected()
        let many = String(repeating: "tap 1 or nothing\n", count: 300)
        #expect(failure(many + "tap 2\ntap 2\nwait 1s", on: bench.watch)?.hasPrefix("s:302: ") == true)
    }
}
