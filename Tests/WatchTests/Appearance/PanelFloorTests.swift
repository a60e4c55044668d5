import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

/// The wearer waits for the panel's bus and hardly anything else: the processor works while lines are on their way.
struct PanelFloorTests {
    private static let lengths = [8, 32, 128]

    private func tap(items: Int) throws -> (history: TapHistory, removal: Int, panel: PanelCost) {
        let bench = try WatchBench.connected(items: items)
        bench.tap(0)
        bench.run(for: .milliseconds(200))
        let before = bench.work.panelLines
        bench.run(until: { $0.taps.first?.time(of: .settled) != nil })
        return (try #require(bench.snapshot.taps.first), bench.work.panelLines - before, bench.profile.panel)
    }

    private func length(to mark: TapMark, of tap: TapHistory) throws -> UInt64 {
        let touched = try #require(tap.time(of: .touch))
        return (try #require(tap.time(of: mark)) - touched).count
    }

    @Test(arguments: lengths)
    func `a tap is on the panel within 1.15 times what its two lines take`(items: Int) throws {
        let tap = try tap(items: items)
        let floor = tap.panel.time(lines: 2).count
        let updated = try length(to: .updated, of: tap.history)
        #expect(updated >= floor)
        #expect(100 * updated <= 115 * floor)
        #expect(try length(to: .handled, of: tap.history) <= 1_000)
    }

    @Test(arguments: lengths)
    func `a row is gone within 1.15 times what the lines that change take`(items: Int) throws {
        let tap = try tap(items: items)
        let floor = tap.panel.time(lines: tap.removal).count
        let settled = try length(to: .settled, of: tap.history)
        #expect(settled >= floor)
        #expect(100 * settled <= 115 * floor)
    }

    @Test func `a long list costs what a short one does`() throws {
        let taps = try Self.lengths.map(tap(items:))
        let updated = try taps.map { try length(to: .updated, of: $0.history) }
        #expect(100 * (try #require(updated.max())) <= 102 * (try #require(updated.min())))
        let settled = try taps.map { try length(to: .settled, of: $0.history) }
        #expect(100 * (try #require(settled.max())) <= 102 * (try #require(settled.min())))
    }
}
