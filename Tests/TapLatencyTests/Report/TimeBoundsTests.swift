import DeviceModel
import Testing
import Watch
import WatchLink

@testable import TapLatency

struct TimeBoundsTests {
    private static func record(_ updated: UInt64?, _ margin: TimeMargin?) -> TapRecord {
        func marks<Value>(_ value: Value?) -> [Value?] { LatencyMark.allCases.map { $0 == .updated ? value : nil } }
        return TapRecord(
            marks: marks(updated.map { Microseconds($0) }), margins: marks(margin), stages: [], immediateStages: 0,
            interrupt: .zero)
    }

    private static let margin = TimeMargin(shorter: Microseconds(10), longer: Microseconds(30))

    @Test func `a mark is earlier by the one margin and later by the other`() throws {
        let bounds = try #require(TimeBounds(of: [Self.record(300, Self.margin), Self.record(300, Self.margin)]))
        #expect(bounds.medians(of: .updated) == 290...330)
        #expect(bounds.fewest.updated?.count == 2)
        #expect(bounds.medians(of: .settled) == nil)
    }

    @Test func `taps whose machine code was not executed have no bounds`() {
        #expect(TimeBounds(of: [Self.record(300, nil)]) == nil)
        #expect(TimeBounds(of: []) == nil)
    }

    @Test func `a stage is shorter by the cycles that it may lack, and longer by those that it may need`() throws {
        var history = TapHistory(tap: TapNumber(1))
        history.stageBegan("a", at: .start)
        history.stageEnded("a", at: .start + Microseconds(100))
        var span = history.stages[0]
        #expect(TimeBounds([span], on: DeviceProfile.memoryLCD.processor) == nil)
        // 64 cycles a microsecond.
        (span.cycles, span.allowedCycles) = (6_400, 5_760...7_680)
        let bounds = try #require(TimeBounds([span], on: DeviceProfile.memoryLCD.processor))
        #expect(bounds.medians == 90...120)
    }

    @Test(arguments: [
        (331, 352, "331 to 352 µs"), (990, 1_010, "990 µs to 1.01 ms"), (2_780, 2_890, "2.78 to 2.89 ms"),
        (5, 5, "5 µs"),
    ])
    func `two times share their unit where it is the same`(from: UInt64, to: UInt64, text: String) {
        #expect(FigureText(between: from...to).plain == text)
    }
}
