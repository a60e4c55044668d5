import DeviceModel
import Testing
import Watch
import WatchLink

@testable import TerminalWatch

struct EventLogTests {
    @Test func `what every part has done is listed in the order in which it happened`() throws {
        let watch = try FakeWatch()
        watch.send(.tap(row: 0))
        let events = EventLog.events(in: watch.snapshot)
        #expect(events.map(\.time) == events.map(\.time).sorted())
        let touch = try #require(events.first?.time)
        // 14.2 ms, and the 250 ms for which the row is held.
        #expect(events.last?.time == touch + .milliseconds(250) + Microseconds(14_200))
        let names = events.map { "\($0.part) \($0.words)" }
        #expect(
            names == [
                "tap tap 1 touched", "haptic click", "tap tap 1 handled", "panel tap 1 struck", "flash tap 1 recorded",
                "radio tap 1 sent", "phone tap 1 stored", "radio tap 1 acknowledged", "panel tap 1 gone",
            ])
    }

    @Test func `the newest events are kept, as many as there are lines`() throws {
        let watch = try FakeWatch(rows: (1...30).map { "Item \($0)" })
        for row in 0..<6 { for _ in 0..<4 { watch.send(.tap(row: row)) } }
        let events = EventLog.events(in: watch.snapshot)
        #expect(events.count == EventLog.capacity)
        let block = PanelBlock.log(events, lines: 5)
        #expect(block.lines.count == 5)
        let last = block.lines.last?.parts.map(\.text).joined()
        #expect(last?.contains("tap 24 gone") == true, "\(last ?? "")")
    }
}
