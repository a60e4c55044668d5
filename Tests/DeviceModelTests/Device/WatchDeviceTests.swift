import Testing
import Watch
import WatchLink

@testable import DeviceModel

/// A program can read a changed screen before the panel shows all of it. A touch must wait until the panel has caught
/// up.
@Suite struct WatchDeviceLookTests {
    @Test(arguments: 1...6 as ClosedRange<UInt32>)
    func `A touch after a look is for the rows that the screen said, although the panel had a part of them`(
        items: UInt32
    ) throws {
        let bench = try WatchBench(items: Int(items), handler: ShippingHandler(), profile: .instant)
        bench.radio.connect()
        #expect(bench.run(until: { $0.description.rows.count == Int(items) }))
        #expect(!bench.snapshot.isPanelCurrent)
        bench.tap(0)
        #expect(bench.checkOffs.isEmpty && bench.snapshot.taps.count == 1)
        bench.run(for: .seconds(1))
        #expect(bench.checkOffs == [1])
    }

    @Test func `The panel is behind while parts of a screen follow, and no longer when the last was sent`() throws {
        let watch = try watch(runs: [20, 20, 7])
        #expect(watch.snapshot.isPanelCurrent)
        watch.send(.press(.crown))
        for isCurrent in [false, false, true] {
            let number = watch.snapshot.output.screenChanges
            _ = watch.wait(for: .seconds(1)) { $0.output.screenChanges > number }
            #expect(watch.snapshot.isPanelCurrent == isCurrent)
        }
    }

    @Test func `A part that nothing follows was the last when the program comes to rest`() throws {
        let watch = try watch(runs: [20])
        let number = watch.snapshot.output.screenChanges
        watch.send(.press(.crown))
        _ = watch.wait(for: .seconds(1)) { $0.output.screenChanges > number }
        #expect(!watch.snapshot.isPanelCurrent)
        let before = watch.now
        watch.waitUntilTouchable()
        #expect(watch.snapshot.isPanelCurrent)
        #expect(watch.now == before)
    }

    private func watch(runs: [Int]) throws -> VirtualWatch<PartsProgram> {
        let board = try SimulatedBoard(
            flash: BlankFlash(), clock: .virtual(VirtualClock()), calendar: .unset, profile: .instant)
        return try VirtualWatch(running: PartsProgram(board, runs: runs))
    }
}

private struct PartsProgram: WatchProgram, ~Copyable {
    let surface: SimulatedBoard<BlankFlash>
    private let runs: [Int]
    private var waiting: ArraySlice<Int> = []

    init(_ board: consuming SimulatedBoard<BlankFlash>, runs: [Int]) {
        surface = board
        self.runs = runs
    }

    mutating func start() {}

    mutating func step() -> NextStep {
        if surface.nextInput() != nil {
            waiting = runs[...]
            return .again
        }
        guard let lines = waiting.popFirst() else { return .idle(until: nil) }
        surface.beginLines()
        let pixels = [UInt8](repeating: 0xFF, count: PanelGeometry.bytesPerLine)
        for line in 0..<lines { surface.writeLine(line, pixels: pixels.span) }
        surface.finishLines()
        surface.trace(.screenChanged(at: surface.now))
        return .again
    }

    func describe() -> ScreenDescription { ScreenDescription() }
}
