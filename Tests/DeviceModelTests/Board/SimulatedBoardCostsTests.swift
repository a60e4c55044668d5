import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct SimulatedBoardCostsTests {
    private let table = CountTable(
        parts: [
            .touch: 64, .between: 32, .flush: 128, .line: 96, .meanwhile: 192, .shown: 64, .removal: 1_280, .news: 640,
            .drawnLine: 160, .datagram: 320,
        ].mapValues(Self.cycles), stages: ["a": Self.cycles(640)])

    private static func cycles(_ count: Int) -> CodeCount { CodeCount(instructions: count, cycles: count) }

    /// A device on which only the processor takes time. It runs 64 cycles in a microsecond.
    private var processorAlone: DeviceProfile {
        var profile = DeviceProfile.instant
        profile.processor = DeviceProfile.memoryLCD.processor
        return profile
    }

    private func board(
        _ profile: DeviceProfile, faults: FaultSwitches = FaultSwitches()
    ) throws -> SimulatedBoard<BlankFlash> {
        let board = try SimulatedBoard(
            flash: BlankFlash(), clock: .virtual(VirtualClock()), calendar: .unset, profile: profile, faults: faults)
        board.counts = table
        return board
    }

    private let line = [UInt8](repeating: 0xFF, count: PanelGeometry.bytesPerLine)
    private let tap = TapNumber(1)

    @Test func `A program that has ended says why it did, and not what else failed then`() throws {
        let board = try board(processorAlone)
        board.fail("the cause")
        board.fail("the consequence")
        #expect(board.condition == .failed(reason: "the cause"))
    }

    @Test func `A table allows its own cycles alone`() throws {
        let board = try board(processorAlone)
        board.trace(.mark(.touch, tap: tap, at: board.now))
        board.trace(.mark(.handled, tap: tap, at: board.now))
        #expect(board.output.taps.histories.last?.margin(at: .handled) == TimeMargin.none)
    }

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
        // 32 cycles are half a microsecond.
        for _ in 0..<1_000 {
            board.trace(.stageBegan("unknown", tap: tap, at: board.now))
            board.trace(.stageEnded("unknown", tap: tap, at: board.now))
        }
        #expect(board.now == Instant(microseconds: 500))
        #expect(board.output.work.instructions == 32_000)
    }

    @Test func `The lines of a tap's update cost no drawing, those of another screen do`() throws {
        let board = try board(processorAlone)
        board.trace(.mark(.handled, tap: tap, at: board.now))
        send(2, to: board)
        // In microseconds: 2 before the lines, 3 for the lines, 3 while the bus sends them, and 1 after that.
        #expect(board.now == Instant(microseconds: 9))
        board.trace(.mark(.updated, tap: tap, at: board.now))
        board.post(.press(.crown))
        _ = board.nextInput()
        send(2, to: board)
        #expect(board.now == Instant(microseconds: 9 + 5 + 9))
        #expect(board.output.work.spent.processor == Microseconds(23))
        #expect(board.output.work.spent.panel == .zero)
    }

    @Test func `What draws lines is charged once, as what it was that drew them`() throws {
        let board = try board(processorAlone)
        func length(_ work: () -> Void) -> UInt64 {
            let began = board.now
            work()
            return (board.now - began).count
        }
        // Two lines take 8.5 us to send. The first call also draws a screen, at 2.5 us a line.
        #expect((13...14).contains(length { send(2, to: board) }))
        #expect((8...9).contains(length { send(2, to: board) }), "drawn with those before")
        board.idle(until: board.now)
        #expect((28...29).contains(length { send(2, to: board) }), "a row that goes")
        board.trace(.stageBegan("a", tap: tap, at: board.now))
        board.trace(.stageEnded("a", tap: tap, at: board.now))
        #expect((8...9).contains(length { send(2, to: board) }), "drawn by a stage")
        board.post(.press(.crown))
        _ = board.nextInput()
        #expect((13...14).contains(length { send(2, to: board) }), "another screen")
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
        board.beginLines()
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
        // Four lines of 80 us follow each other without a gap. The processor then needs 1 us more.
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
        board.beginLines()
        for number in 0..<count { board.writeLine(number, pixels: line.span) }
        board.finishLines()
    }

    @Test func `A flash chip at its longest times is a fault that begins at once`() throws {
        let switches = FaultSwitches()
        let board = try board(.memoryLCD, faults: switches)
        try board.programFlash(at: 0, line.span)
        // Sending 22 bytes at 8 MHz takes 22 us. Programming takes 30 us for the first byte and 2.5 us for each of 17 more.
        #expect(board.now == Instant(microseconds: 95))
        switches.faults.flash = .maximum
        try board.programFlash(at: 0, line.span)
        #expect(board.now == Instant(microseconds: 95 + 22 + 50 + 17 * 12))
        try board.beginErase(sector: 0)
        board.idle(until: nil)
        #expect(board.now == Instant(microseconds: 400_371))
        #expect(board.output.work.pagePrograms == 2)
        #expect(board.output.work.sectorErases == 1)
        #expect(board.output.work.spent.idle == .milliseconds(400))
    }

    @Test func `A page takes as long as the datasheet says, and reading what the bus takes`() throws {
        let board = try board(.memoryLCD)
        let page = [UInt8](repeating: 0, count: 256)
        try board.programFlash(at: 0, page.span)
        // Sending 260 bytes at 8 MHz takes 260 us. Programming takes 30 us and 255 times 2.5 us, less than the 700 us for a
        // page.
        #expect(board.now == Instant(microseconds: 260 + 668))
        var read = [UInt8](repeating: 0, count: 4_096)
        var span = read.mutableSpan
        try board.readFlash(at: 0, into: &span)
        #expect(board.now == Instant(microseconds: 928 + 4_100))
        #expect(board.output.work.programming == Microseconds(668))
    }

    @Test func `Where the panel shares its bus the flash chip waits for a line on its way`() throws {
        var time: [Microseconds] = []
        for bus in PanelCost.Bus.allCases {
            var profile = DeviceProfile.colourSPI
            profile.panel.bus = bus
            profile.processor.clockHertz = nil
            let board = try board(profile)
            board.beginLines()
            board.writeLine(0, pixels: line.span)
            try board.programFlash(at: 0, line.span)
            time.append(board.now - .start)
        }
        #expect(time[1] - time[0] == DeviceProfile.colourSPI.panel.time(lines: 1))
    }

    @Test func `A line that is longer than a transfer has pauses in it`() {
        var panel = PanelCost(busHertz: 8_000_000, bitsPerLine: 255 * 8, bitsPerFlush: 0)
        panel.transfers = PanelCost.Transfers(mostBytes: 255, pause: Microseconds(3))
        #expect(panel.time(lines: 2) == Microseconds(510))
        panel.bitsPerLine = 256 * 8
        #expect(panel.time(lines: 2) == Microseconds(512 + 6))
        panel.bitsPerLine = 511 * 8
        #expect(panel.time(lines: 1) == Microseconds(511 + 6))
    }

    private var readingAtOnce: DeviceProfile {
        var profile = DeviceProfile.memoryLCD
        profile.touch.report = .zero
        return profile
    }

    @Test func `A finger is taken when the touch controller's report is read, and everything else at once`() throws {
        let board = try board(.memoryLCD)
        board.idle(until: Instant(microseconds: 3_000))
        board.post(.touch(x: 1, y: 1))
        #expect(board.nextInput() == nil)
        board.idle(until: nil)
        #expect(board.now == Instant(microseconds: 10_215))
        #expect(board.nextInput() == TimedInput(.touch(x: 1, y: 1), at: Instant(microseconds: 10_000)))
        board.idle(until: Instant(microseconds: 12_000))
        board.post(.press(.crown))
        #expect(board.nextInput() == TimedInput(.press(.crown), at: Instant(microseconds: 12_000)))
    }

    @Test
    func `A finger on the panel keeps the touch controller from resting, so that its lift is seen at the next scan`()
        throws
    {
        let board = try board(readingAtOnce)
        board.post(.tap(x: 1, y: 1))
        #expect(board.nextInput()?.time == .start)
        // The finger touched and lifted at the same time.
        #expect(board.nextInput() == TimedInput(.lifted(x: 1, y: 1), at: .start))
        board.idle(until: Instant(microseconds: 1_000))
        board.post(.touch(x: 1, y: 1))
        board.idle(until: nil)
        #expect(board.nextInput()?.time == Instant(microseconds: 10_000))
        board.idle(until: Instant(microseconds: 5_003_000))
        board.post(.moved(x: 1, y: 9))
        board.idle(until: nil)
        #expect(board.nextInput() == TimedInput(.moved(x: 1, y: 9), at: Instant(microseconds: 5_010_000)))
        board.idle(until: Instant(microseconds: 9_004_000))
        board.post(.lifted(x: 1, y: 9))
        #expect(board.nextInput() == nil)
        board.idle(until: nil)
        #expect(board.nextInput() == TimedInput(.lifted(x: 1, y: 9), at: Instant(microseconds: 9_010_000)))
    }

    @Test func `A touch keeps the touch controller from resting, and nothing else does`() throws {
        let board = try board(readingAtOnce)
        /// Returns how long a finger waits until the touch controller sees it. The finger comes down after `pause`.
        func touch(after pause: Microseconds) -> Microseconds? {
            let finger = board.now + pause
            board.idle(until: finger)
            board.post(.touch(x: 1, y: 1))
            let seen = board.interrupt(ofFingerAt: finger)
            board.idle(until: nil)
            return board.nextInput().map { input in
                #expect(input.time == seen && board.now == seen)
                return input.time - finger
            }
        }
        #expect(touch(after: .milliseconds(1_003)) == .milliseconds(7))
        #expect(touch(after: .milliseconds(1_993)) == .milliseconds(7))
        #expect(touch(after: .milliseconds(2_003)) == .milliseconds(37))
        // The last finger has woken the touch controller up.
        #expect(touch(after: .milliseconds(3)) == .milliseconds(7))
        board.idle(until: board.now + .milliseconds(1_500))
        board.post(.crown(detents: 1))
        #expect(board.nextInput() != nil)
        #expect(touch(after: .milliseconds(1_503)) == .milliseconds(37))
    }

    @Test func `A board whose clock has run before has a touch controller that is awake`() throws {
        let clock = VirtualClock()
        clock.advance(to: .start + .seconds(60))
        let board = try SimulatedBoard(
            flash: BlankFlash(), clock: .virtual(clock), calendar: .unset, profile: .memoryLCD)
        #expect(board.interrupt(ofFingerAt: .start + .milliseconds(60_001)) == .start + .milliseconds(60_010))
    }

    @Test func `On the real clock an operation takes at least what the device takes`() throws {
        let board = try SimulatedBoard(
            flash: BlankFlash(), clock: .real(HostClock()), calendar: .unset, profile: .memoryLCD)
        let before = board.now
        try board.programFlash(at: 0, line.span)
        #expect(board.now >= before + Microseconds(95))
        let begun = board.now
        send(3, to: board)
        #expect(board.now >= begun + DeviceProfile.memoryLCD.panel.time(lines: 3))
        #expect(board.output.work.spent.panel > .zero)
    }

    @Test func `The instant profile takes no time and no charge`() throws {
        let bench = try WatchBench(phone: InMemoryPhone(items: 10), handler: ShippingHandler(), profile: .instant)
        bench.connect()
        #expect(bench.clock.now == .start)
        bench.tap(0)
        #expect(bench.snapshot.taps.first?.tapToUpdate == .zero)
        bench.run(for: .seconds(1))
        #expect(bench.phone.checkOffs.map(\.id) == [1])
        #expect(bench.profile.energy.charge(of: bench.work) == 0)
    }

    @Test func `A nearly empty battery starts no haptic driver, and its flash chip takes its longest`() throws {
        let switches = FaultSwitches()
        let board = try board(.memoryLCD, faults: switches)
        board.play(.success)
        #expect(board.output.work.hapticPatterns == 1)
        switches.faults.supply = .low
        let before = board.now
        board.play(.success)
        board.play(.failure)
        #expect(board.now == before)
        #expect(board.output.work.hapticPatterns == 1)
        try board.programFlash(at: 0, line.span)
        #expect(board.now - before == Microseconds(22 + 50 + 17 * 12))
        switches.faults.supply = .sufficient
        board.play(.success)
        #expect(board.output.work.hapticPatterns == 2)
    }
}
