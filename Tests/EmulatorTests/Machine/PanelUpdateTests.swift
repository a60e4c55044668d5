import Testing

@testable import Emulator

struct PanelUpdateTests {
    private static let millisecond: UInt64 = 64_000

    private func write(_ start: UInt64, _ digest: UInt64, changed: Bool = true, pixels: Int = 100) -> PanelWrite {
        let area = PanelArea(columns: 0...9, rows: 0...9)
        let (first, last) = (start * Self.millisecond, (start + 1) * Self.millisecond)
        let change = PanelWrite.Change(area: area, first: first, last: last, digest: digest)
        return PanelWrite(window: area, first: first, last: last, pixels: pixels, change: changed ? change : nil)
    }

    private func outcome(_ touched: [PanelWrite], _ untouched: [PanelWrite] = [], until end: UInt64 = 1_000)
        -> PanelUpdate.Outcome
    {
        PanelUpdate.outcome(touched: touched, untouched: untouched, until: end * Self.millisecond)
    }

    @Test
    func `An update lasts from the first pixel to the last before a pause`() {
        let found = outcome([write(20, 1), write(30, 2), write(270, 3), write(600, 4)])
        guard case .settled(let update) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(update.first == 20 * Self.millisecond)
        #expect(update.last == 271 * Self.millisecond)
        #expect(update.writes == 3)
        #expect(update.pixels == 300)
    }

    @Test
    func `What the untouched machine draws too does not count`() {
        let clock = [write(10, 7), write(500, 8)]
        #expect(outcome(clock, clock) == .none)
        guard case .settled(let update) = outcome([write(10, 7), write(25, 1), write(200, 8)], clock) else {
            Issue.record("no update")
            return
        }
        #expect(update.first == 25 * Self.millisecond)
        #expect(update.last == 26 * Self.millisecond)
    }

    @Test
    func `Pixels that keep their values are no update`() {
        #expect(outcome([write(10, 1, changed: false)]) == .none)
    }

    @Test
    func `An update that goes on until the end has not settled`() {
        guard case .unsettled = outcome((0..<20).map { write($0 * 50, $0) }, until: 1_000) else {
            Issue.record("it has settled")
            return
        }
    }
}
