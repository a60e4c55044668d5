import Synchronization
import Testing
import Watch
import WatchLink

@testable import DeviceModel

/// A script sees the screen and touches it within microseconds, as no finger does.
@Suite struct ScriptTouchTests {
    private func bench() throws -> WatchBench<ShippingHandler> {
        let bench = try WatchBench(items: 10, handler: ShippingHandler())
        bench.connect()
        return bench
    }

    /// What the script prints.
    private func play(_ script: String, on bench: WatchBench<ShippingHandler>) throws -> String {
        let printed = Mutex("")
        var runner = ScriptRunner(bench.watch, file: "test.tapline") { text in printed.withLock { $0 += text } }
        try runner.run(script: script)
        return printed.withLock { $0 }
    }

    @Test func aTapIsForTheRowThatTheScreenSaidJustBefore() throws {
        // The rows move up 250 ms after the first tap, and are on the panel a few milliseconds later.
        var said: Set<String> = []
        for length in 240...290 {
            let bench = try bench()
            let text = try play("tap 0\nwait \(length)ms\ndescribe\ntap 0\nwait 1s", on: bench)
            let top = try #require(text.split(separator: "\n").first { $0.hasPrefix("0 ") })
            said.insert(String(top))
            #expect(bench.checkOffs == (top == "0 [ ] Item 2" ? [1, 2] : [1]), "\(top) after \(length) ms")
        }
        #expect(said == ["0 [x] Item 1", "0 [ ] Item 2"])
    }

    @Test func aTapAfterATurnOfTheCrownIsForTheRowsThatItBroughtUp() throws {
        // Whatever the touch controller's scan is at.
        for phase in 0..<20 as Range<UInt64> {
            let bench = try bench()
            bench.run(for: Microseconds(500 * phase))
            _ = try play("crown 3\ntap 1\nwait 1s", on: bench)
            #expect(bench.checkOffs == [5], "\(500 * phase) us later")
        }
    }

    @Test func severalTapsAreOfFingersThatComeDownAtOnce() throws {
        let bench = try bench()
        _ = try play("tap 0\ntap 1\ntap 2\nwait 1s", on: bench)
        #expect(bench.checkOffs == [1, 2, 3])
        let touches = bench.snapshot.taps.compactMap { $0.time(of: .touch) }
        #expect(touches.count == 3 && touches.allSatisfy { $0 == touches[0] })
    }
}
