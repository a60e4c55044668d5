import DeviceModel
import Emulator
import ListFeed
import TestSupport
import Testing
import Watch
import WatchLink

@testable import FirmwareWatch

struct FirmwareCoreTests {
    private static let line: [UInt8] = [0xA5, 3] + [UInt8](repeating: 0x81, count: PanelGeometry.bytesPerLine)
    /// `{1: "Milk"}`.
    private static let milk: [UInt8] = [0xA1, 0x01, 0x64] + Array("Milk".utf8)

    private func queue(_ count: Int) throws -> InputQueue {
        let queue = try InputQueue()
        for index in 0..<count { queue.post(TimedInput(.touch(x: Int16(index % 144), y: 9), at: .start)) }
        return queue
    }

    @Test func `a picture comes into force when all of it has arrived`() throws {
        var core = FirmwareCore()
        core.hear(bench: try idle(panelBytes: 20), at: .start)
        #expect(core.idle == nil)
        core.hear(panel: Array(Self.line.dropLast()), at: .start)
        #expect(core.idle == nil)
        #expect(core.output.linesWritten == 0)
        core.hear(panel: [Self.line[19]], at: .start)
        #expect(core.idle != nil)
        #expect(core.output.frame.line(3).allSatisfy { $0 == 0x81 })
    }

    @Test func `lines without a report of being idle are not shown yet`() throws {
        var core = FirmwareCore()
        core.hear(panel: Self.line, at: .start)
        #expect(core.output.linesWritten == 0)
        core.hear(bench: try idle(panelBytes: 20), at: .start)
        #expect(core.output.linesWritten == 1)
    }

    @Test func `a board that is never idle is shown all the same, and does not fill the host`() throws {
        var core = FirmwareCore()
        for _ in 0..<10_000 { core.hear(panel: Self.line, at: .start) }
        #expect(core.output.linesWritten >= 10_000 - 20 * PanelGeometry.height)
    }

    @Test func `a report of lines that never come keeps a thousand others at most`() throws {
        var core = FirmwareCore()
        core.hear(bench: try idle(panelBytes: 1_000_000), at: .start)
        let haptic = try frame(.haptic(.click))
        for _ in 0..<5_000 { core.hear(bench: haptic, at: .start) }
        #expect(core.output.haptics.count >= 5_000 - 1_024)
    }

    @Test func `reports come into force in their order`() throws {
        var core = FirmwareCore()
        let first = try idle(inputs: 0, panelBytes: 20)
        core.hear(bench: first + (try frame(.haptic(.click))), at: .start)
        #expect(core.output.haptics.count == 0)
        core.hear(panel: Self.line, at: Instant(microseconds: 5))
        #expect(core.output.haptics.pulses == [HapticPulse(.click, at: Instant(microseconds: 5))])
    }

    @Test func `taps belong to the inputs that the board counts with them`() throws {
        var core = FirmwareCore()
        _ = core.inputs(from: try queue(5))
        for tap in 1...2 as ClosedRange<UInt32> {
            core.hear(bench: try frame(.trace(.mark(.touch, tap: TapNumber(tap), at: .start), ticks: 0)), at: .start)
        }
        core.hear(bench: try idle(inputs: 3), at: .start)
        core.hear(bench: try idle(inputs: 4), at: .start)
        core.hear(bench: try frame(.trace(.mark(.touch, tap: TapNumber(3), at: .start), ticks: 0)), at: .start)
        core.hear(bench: try idle(inputs: 5), at: .start)
        // A report without an input begins nothing.
        core.hear(bench: try frame(.trace(.mark(.touch, tap: TapNumber(4), at: .start), ticks: 0)), at: .start)
        core.hear(bench: try idle(inputs: 5), at: .start)
        var expected = BegunTaps()
        for _ in 1...2 { expected.enter(oneOf: InputNumber(1)...InputNumber(3)) }
        expected.enter(oneOf: InputNumber(5)...InputNumber(5))
        #expect(core.output.begunTaps == expected)
    }

    @Test func `a stage's instructions are counted from its ticks, which wrap`() throws {
        var core = FirmwareCore()
        let tap = TapNumber(1)
        core.hear(bench: try frame(.trace(.stageBegan("haptic", tap: tap, at: .start), ticks: .max - 9)), at: .start)
        core.hear(bench: try frame(.trace(.stageEnded("haptic", tap: tap, at: .start), ticks: 90)), at: .start)
        let stage = try #require(core.output.taps.histories.first?.stages.first)
        // A hundred ticks of 40 ns, at 16 ns an instruction.
        #expect(stage.instructions == 250)
    }

    @Test func `taps are logged with their stages`() throws {
        var core = FirmwareCore()
        let tap = TapNumber(1)
        let events: [TraceEvent] = [
            .mark(.touch, tap: tap, at: Instant(microseconds: 10)),
            .stageBegan("list model", tap: tap, at: Instant(microseconds: 11)),
            .stageEnded("list model", tap: tap, at: Instant(microseconds: 12)),
            .mark(.updated, tap: tap, at: Instant(microseconds: 30)), .screenChanged(at: Instant(microseconds: 31)),
            .journalFailed(.full, at: Instant(microseconds: 32)),
        ]
        for event in events { core.hear(bench: try frame(.trace(event, ticks: 0)), at: .start) }
        let history = try #require(core.output.taps.histories.first)
        #expect(history.tapToUpdate == Microseconds(20))
        #expect(history.stages.map(\.name) == ["list model"])
        #expect(core.output.screenChanges == 1)
        #expect(core.output.journalFailure == .full)
    }

    @Test func `what is no report is counted and passed over`() throws {
        var core = FirmwareCore()
        core.hear(bench: [1, 2, 3, 0] + SerialFrame.bytes([0x81, 23]), at: .start)
        core.hear(bench: try frame(.haptic(.click)), at: .start)
        #expect(core.unreadable == 2)
        #expect(core.output.haptics.count == 1)
    }

    @Test func `the board is asked after work, and once`() throws {
        var core = FirmwareCore()
        let question = core.question()
        #expect(try commands(in: try #require(question)) == [.describe])
        #expect(core.question() == nil)
        core.hear(bench: SerialFrame.bytes(try payload(description: Self.milk)), at: .start)
        #expect(core.description.title == "Milk")
        #expect(core.isDescribed)
        #expect(core.question() == nil)
        core.hear(bench: try idle(), at: .start)
        #expect(!core.isDescribed)
        #expect(core.question() != nil)
    }

    @Test func `an answer to a question from before the last work is followed by another question`() throws {
        var core = FirmwareCore()
        _ = core.question()
        core.hear(bench: try idle(), at: .start)
        #expect(core.question() == nil)
        core.hear(bench: SerialFrame.bytes(try payload(description: Self.milk)), at: .start)
        #expect(!core.isDescribed)
        #expect(core.question() != nil)
    }

    @Test func `an answer that is no description leaves the last one`() throws {
        var core = FirmwareCore()
        _ = core.question()
        core.hear(bench: SerialFrame.bytes(try payload(description: [0x80])), at: .start)
        #expect(core.description == ScreenDescription())
        #expect(core.unreadable == 1)
        #expect(core.isDescribed)
    }

    @Test func `an input counts as handled when the screen was described after it`() throws {
        var core = FirmwareCore()
        let queue = try queue(1)
        _ = core.inputs(from: queue)
        core.hear(bench: try idle(inputs: 1), at: .start)
        #expect(core.handled == InputNumber(0))
        _ = core.question()
        core.hear(bench: SerialFrame.bytes(try payload(description: Self.milk)), at: .start)
        #expect(core.handled == InputNumber(1))
    }

    @Test func `of a thousand inputs all reach the board in their order, twelve at a time`() throws {
        var core = FirmwareCore()
        let queue = try queue(1_000)
        var reached: [BenchCommand] = []
        while reached.count < 1_000 {
            let bytes = core.inputs(from: queue)
            try #require(!bytes.isEmpty && bytes.count <= 12 * 15)
            reached += try commands(in: bytes)
            #expect(core.inputs(from: queue).isEmpty)
            core.hear(bench: try idle(inputs: UInt32(reached.count)), at: .start)
        }
        #expect(reached == (0..<1_000).map { .input(.touch(x: Int16($0 % 144), y: 9)) })
    }

    @Test func `no bytes on either line make it trap`() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        var core = FirmwareCore()
        for _ in 0..<2_000 {
            let payload = (0..<Int.random(in: 1...30, using: &random)).map { index in
                UInt8.random(in: index == 0 ? 0x80...0x87 : 0...255, using: &random)
            }
            core.hear(bench: SerialFrame.bytes(payload), at: .start)
            core.hear(panel: payload, at: .start)
            _ = core.question()
        }
        #expect(core.unreadable > 0, "seed \(seed)")
    }
}

struct InputFlowTests {
    @Test func `what there is room for fits the ring of the board's bench line`() throws {
        var largest = 0
        for command in [
            BenchCommand.input(.touch(x: .min, y: .max)), .input(.lifted(x: .max, y: .min)),
            .input(.crown(detents: .min)),
        ] {
            largest = max(largest, try wireSize(command))
        }
        let go = try wireSize(.go(now: Instant(microseconds: .max), radioBytes: .max))
        #expect(Int(InputFlow.mostOutstanding) * largest + (try wireSize(.describe)) + go <= 256)
    }

    private func wireSize(_ command: BenchCommand) throws -> Int {
        SerialFrame.largestWireSize(payload: command.payload.count)
    }

    @Test func `a count says which inputs it has more than the one before`() {
        var flow = InputFlow()
        for _ in 0..<5 { flow.send() }
        #expect(flow.handle(3) == InputNumber(1)...InputNumber(3))
        #expect(flow.handle(3) == nil)
        #expect(flow.handle(4) == InputNumber(4)...InputNumber(4))
        #expect(flow.handle(9) == nil)
    }

    @Test func `a count of more than was sent changes nothing`() {
        var flow = InputFlow()
        flow.send()
        flow.handle(2)
        #expect(flow.handled == InputNumber(0))
        flow.handle(1)
        #expect(flow.handled == InputNumber(1))
        flow.handle(0)
        #expect(flow.handled == InputNumber(1))
    }
}

func payload(_ report: BenchReport) throws -> [UInt8] {
    try [UInt8](capacity: 512) { writer throws(CBORError) in try report.encode(into: &writer) }
}

func payload(description: [UInt8]) throws -> [UInt8] {
    try [UInt8](capacity: 1_024) { writer throws(CBORError) in
        try writer.array(count: 2)
        try writer.unsigned(BenchReport.description)
        try writer.bytes(description.span)
    }
}

func frame(_ report: BenchReport) throws -> [UInt8] {
    SerialFrame.bytes(try payload(report))
}

/// The frame of a report that the runtime is idle.
func idle(inputs: UInt32 = 0, panelBytes: UInt32 = 0) throws -> [UInt8] {
    try frame(
        .idle(BenchIdle(inputs: inputs, deadline: nil, now: .start, panelBytes: panelBytes, radioBytes: 0)))
}

func commands(in bytes: [UInt8]) throws -> [BenchCommand] {
    var reader = FrameReader(largestPayload: BenchCommand.largest)
    var commands: [BenchCommand] = []
    for byte in bytes {
        guard let payload = reader.take(byte) else { continue }
        var item = CBORReader(payload.span)
        commands.append(try BenchCommand(from: &item))
    }
    return commands
}
