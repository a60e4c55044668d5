import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct SimulatedBoardCostsTests {
    private let table = InstructionTable(
        touch: 64, between: 32, flush: 128, line: 96, meanwhile: 192, shown: 64, drawnLine: 160, stages: ["a": 640])

    /// A device on which only the processor takes time: 64 instructions a microsecond.
    private var processorAlone: DeviceProfile {
        var profile = DeviceProfile.instant
        profile.processor = Processor(clockHertz: 64_000_000, cyclesPerInstruction: 1)
        return profile
    }

    private func board(
        _ profile: DeviceProfile, faults: FaultSwitches = FaultSwitches()
    ) throws -> SimulatedBoard<BlankFlash> {
        let board = try SimulatedBoard(
            flash: BlankFlash(), clock: .virtual(VirtualClock()), calendar: .unset, profile: profile, faults: faults)
        board.instructions = table
        return board
    }

    private let line = [UInt8](repeating: 0xFF, count: PanelGeometry.bytesPerLine)
    private let tap = TapNumber(1)

    @Test func `A stage's instructions lie between its beginning and its end`() throws {
        let board = try board(processorAlone)
        board.trace(.mark(.touch, tap: tap, at: board.now))
        #expect(board.now == Instant(microseconds: 1))
        board.trace(.stageBegan("a", tap: tap, at: board.now))
        #expect(board.now == Instant(microseconds: 11))
        board.trace(.stageEnded("a", tap: tap, at: board.now))
        let stage = try #require(board.output.taps.histories.first?.stages.first)
        #expect(stage.duration == Microseconds(10))
        #expect(stage.spent?.processor == Microseconds(10))
        #expect(stage.spent?.total == Microseconds(10))
    }

    @Test func `A stage that is not in the table is not charged, and known not to be counted`() throws {
        let board = try board(processorAlone)
        for name in ["a", "unknown"] as [StaticString] {
            board.trace(.stageBegan(name, tap: tap, at: board.now))
            board.trace(.stageEnded(name, tap: tap, at: board.now))
        }
        let stages = try #require(board.output.taps.histories.first?.stages)
        #expect(stages.map(\.instructionCount) == [.counted, .notCounted])
        #expect(stages[1].duration == .zero)
    }

    @Test func `Parts of a microsecond add up exactly`() throws {
        let board = try board(processorAlone)
        // 32 instructions are half a microsecond.
        for _ in 0..<1_000 {
            board.trace(.stageBegan("unknown", tap: tap, at: board.now))
            board.trace(.stageEnded("unknown", tap: tap, at: board.now))
        }
        #expect(board.now == Instant(microseconds: 500))
        #expect(board.output.work.instructions == 32_000)
    }

    @Test func `The lines of a tap's update cost no drawing, those of anything else do`() throws {
        let board = try board(processorAlone)
        board.trace(.mark(.handled, tap: tap, at: board.now))
        send(2, to: board)
        // 2 before the lines, 3 for them, 3 while they are on their way and 1 to say so.
        #expect(board.now == Instant(microseconds: 9))
        board.trace(.mark(.updated, tap: tap, at: board.now))
        send(2, to: board)
        #expect(board.now == Instant(microseconds: 9 + 5 + 9))
        #expect(board.output.work.spent.processor == Microseconds(23))
        #expect(board.output.work.spent.panel == .zero)
    }

    @Test func `What frames a run of lines is charged once for each run`() throws {
        var profile = DeviceProfile.instant
        profile.panel = PanelCost(busHertz: 2_000_000, bitsPerLine: 160, bitsPerFlush: 16)
        let board = try board(profile)
        send(2, to: board)
        #expect(board.now == Instant(microseconds: 168))
        board.trace(.screenChanged(at: board.now))
        send(1, to: board)
        #expect(board.now == Instant(microseconds: 256))
        #expect(board.output.work.panelLines == 3)
        #expect(board.output.work.spent.panel == Microseconds(256))
    }

    @Test
    func `The processor works while lines are on the bus, and waits where both transfer buffers are full`() throws {
        var profile = processorAlone
        profile.panel = PanelCost(busHertz: 2_000_000, bitsPerLine: 160, bitsPerFlush: 0)
        let board = try board(profile)
        board.trace(.mark(.handled, tap: tap, at: board.now))
        board.beginLines(4)
        board.writeLine(0, pixels: line.span)
        // The first line leaves after 3.5 us: 2 before the run and 1.5 for the line.
        #expect(board.now == Instant(microseconds: 3))
        board.writeLine(1, pixels: line.span)
        #expect(board.now == Instant(microseconds: 5))
        #expect(board.output.work.spent.panel == .zero)
        board.writeLine(2, pixels: line.span)
        // The first buffer is free after 83 us.
        #expect(board.now == Instant(microseconds: 84))
        board.writeLine(3, pixels: line.span)
        board.finishLines()
        // Four lines of 80 us without a gap between them, and what comes after the last.
        #expect(board.now == Instant(microseconds: 3 + 4 * 80 + 1))
        let spent = board.output.work.spent
        #expect(spent.processor == Microseconds(2 + 4 + 2 + 3 + 1))
        #expect(spent.total == board.now - .start)
    }

    @Test func `A bus that is faster than the processor is never waited for`() throws {
        var profile = processorAlone
        profile.panel = PanelCost(busHertz: 160_000_000, bitsPerLine: 160, bitsPerFlush: 0)
        let board = try board(profile)
        board.trace(.mark(.handled, tap: tap, at: board.now))
        send(4, to: board)
        #expect(board.now == Instant(microseconds: 2 + 6 + 3 + 1))
        #expect(board.output.work.spent.panel == .zero)
    }

    private func send(_ count: Int, to board: SimulatedBoard<BlankFlash>) {
        board.beginLines(count)
        for number in 0..<count { board.writeLine(number, pixels: line.span) }
        board.finishLines()
    }

    @Test func `A flash chip at its longest times is a fault that begins at once`() throws {
        let switches = FaultSwitches()
        let board = try board(.memoryLCD, faults: switches)
        try board.programFlash(at: 0, line.span)
        #expect(board.now == Instant(microseconds: 700))
        switches.faults.flash = .maximum
        try board.programFlash(at: 0, line.span)
        #expect(board.now == Instant(microseconds: 3_700))
        try board.beginErase(sector: 0)
        board.idle(until: nil)
        #expect(board.now == Instant(microseconds: 403_700))
        #expect(board.output.work.pagePrograms == 2)
        #expect(board.output.work.sectorErases == 1)
        #expect(board.output.work.spent.idle == .milliseconds(400))
    }

    @Test func `A finger is taken when the touch controller has seen it, and everything else at once`() throws {
        let board = try board(.memoryLCD)
        board.idle(until: Instant(microseconds: 3_000))
        board.post(.touch(x: 1, y: 1))
        #expect(board.nextInput() == nil)
        board.idle(until: nil)
        #expect(board.now == Instant(microseconds: 10_000))
        #expect(board.nextInput() == TimedInput(.touch(x: 1, y: 1), at: Instant(microseconds: 10_000)))
        board.idle(until: Instant(microseconds: 12_000))
        board.post(.press(.crown))
        #expect(board.nextInput() == TimedInput(.press(.crown), at: Instant(microseconds: 12_000)))
    }

    @Test func `On the real clock an operation takes at least what the device takes`() throws {
        let board = try SimulatedBoard(
            flash: BlankFlash(), clock: .real(HostClock()), calendar: .unset, profile: .memoryLCD)
        let before = board.now
        try board.programFlash(at: 0, line.span)
        #expect(board.now >= before + Microseconds(700))
        let begun = board.now
        send(3, to: board)
        #expect(board.now >= begun + DeviceProfile.memoryLCD.panel.time(lines: 3))
        #expect(board.output.work.spent.panel > .zero)
    }

    @Test func `The instant profile takes no time and no charge`() throws {
        let bench = try WatchBench(phone: SimulatedPhone(items: 10), handler: ShippingHandler(), profile: .instant)
        bench.connect()
        #expect(bench.clock.now == .start)
        bench.tap(0)
        #expect(bench.snapshot.taps.first?.tapToUpdate == .zero)
        bench.run(for: .seconds(1))
        #expect(bench.phone.checkOffs.map(\.id) == [1])
        #expect(bench.energy.total == Charge(picocoulombs: 0))
    }

    @Test func `A nearly empty battery starts no haptic driver and warns, and its flash chip takes its longest`() throws
    {
        let switches = FaultSwitches()
        let board = try board(.memoryLCD, faults: switches)
        board.play(.success)
        #expect(board.output.work.hapticPatterns == 1 && board.output.voltage == .none)
        switches.faults.supply = .low
        let before = board.now
        board.play(.success)
        board.play(.failure)
        #expect(board.now == before)
        #expect(board.output.work.hapticPatterns == 1)
        #expect(board.output.voltage == .raised(times: 2, last: before))
        try board.programFlash(at: 0, line.span)
        #expect(board.now - before == DeviceProfile.memoryLCD.flash.pageProgram.maximum)
        switches.faults.supply = .sufficient
        board.play(.success)
        #expect(board.output.work.hapticPatterns == 2 && board.output.voltage.times == 2)
    }
}
