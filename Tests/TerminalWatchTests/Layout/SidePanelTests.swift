import Testing
import Watch
import WatchLink

@testable import DeviceModel
@testable import TerminalWatch

struct SidePanelTests {
    private func text(_ block: PanelBlock) -> [String] {
        block.lines.map { $0.parts.map(\.text).joined() }
    }

    private func tap(_ marks: [(TapMark, UInt64)]) -> TapHistory? {
        var log = TapLog()
        for (mark, time) in marks {
            log.enter(.mark(mark, tap: TapNumber(4), at: Instant(microseconds: 1_000_000 + time)))
        }
        return log.histories.last
    }

    @Test func `marks that were not reached are left open`() {
        let lines = text(.lastTap(tap([(.touch, 0), (.handled, 420), (.updated, 14_250)]), columns: 40))
        #expect(lines.count == 8)
        #expect(lines[1].hasPrefix("handled         0.4"))
        #expect(lines[2].hasPrefix("updated        14.3"))
        #expect(lines[7] == "acknowledged      –")
    }

    @Test func `the removal of the row has its time without the hold, which another tap may have ended early`() {
        let block = PanelBlock.lastTap(tap([(.touch, 0), (.updated, 1_200), (.settled, 2_200)]), columns: 40)
        #expect(text(block)[3] == "gone            2.2  without the hold")
        #expect(text(.lastTap(tap([(.touch, 0)]), columns: 40))[3] == "gone              –")
    }

    @Test func `bars are as long as the times they stand for`() {
        #expect(Bar.text(0, columns: 10) == "╸")
        #expect(Bar.text(0.5, columns: 10) == "━━━━━")
        #expect(Bar.text(1, columns: 10).count == 10)
        #expect(Bar.text(7, columns: 10).count == 10)
        #expect(Bar.text(1, columns: 0).isEmpty)
    }

    @Test(arguments: [
        (0, "0.0"), (449, "0.4"), (99_949, "99.9"), (99_950, "100"), (1_234_567, "1235"), (12_000_000, "12 s"),
    ])
    func `times have as many digits as matter`(microseconds: UInt64, text: String) {
        #expect(Microseconds(microseconds).milliseconds == text)
    }

    @Test func `where a fault cuts the link no phone is asked for`() throws {
        var status = WatchStatus(label: .sample)
        var faults = WatchFaults()
        faults.make(.cut, at: .start)
        status.simulation = WatchStatus.Simulation(faults: faults)
        #expect(text(.phone(status))[1] == "cut by a fault: f, then 2")
        #expect(!CaseCaptions.summary(status).contains { $0.contains("phone serve") })
    }

    @Test func `while the watch's time stands still no phone is asked for`() {
        var status = WatchStatus(label: .sample)
        var clock = ClockState()
        clock.mode = .paused(after: nil)
        status.simulation = WatchStatus.Simulation(clock: clock)
        #expect(text(.phone(status))[1] == "paused: p goes on")
        #expect(!CaseCaptions.summary(status).contains { $0.contains("phone serve") })
    }

    @Test func `a battery that is not full is told`() throws {
        var status = WatchStatus(label: .sample)
        status.battery = .full
        #expect(!CaseCaptions.summary(status).contains { $0.contains("battery") })
        status.battery = BatteryState(percent: 80, isCharging: true)
        #expect(CaseCaptions.summary(status).contains("battery 80 %, charging"))
        #expect(text(.watch(status, view: .text)).contains("battery 80 %, charging"))
    }

    @Test func `what waits for the phone is counted`() {
        var status = WatchStatus(label: .sample)
        status.description.waitingMessages = 2
        #expect(
            text(.phone(status)) == [
                "○ not reachable", "run: tapline phone serve", "… not in sync", "2 messages waiting",
            ])
        status.description.waitingMessages = 0
        status.description.link = .reachable
        status.description.isSynchronized = true
        #expect(text(.phone(status)) == ["● reachable", "✓ in sync", "nothing waiting"])
    }
}
