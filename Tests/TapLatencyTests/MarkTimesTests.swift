import Testing
import Watch
import WatchLink

@testable import DeviceModel
@testable import TapLatency

@Suite struct DistributionTests {
    @Test func `Half of the times are within the first figure, all within the last`() throws {
        let distribution = try #require(Distribution((1...100).map { Microseconds(UInt64($0)) }))
        #expect(distribution == Distribution(p50: 50, p90: 90, p99: 99, max: 100, count: 100))
    }

    @Test func `A single time is every figure, and no times have no distribution`() {
        let time: UInt64 = 5_432_123
        let all = Distribution(p50: time, p90: time, p99: time, max: time, count: 1)
        #expect(Distribution([Microseconds(time)]) == all)
        #expect(Distribution([]) == nil)
    }
}

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
        #expect(Figure.between(from...to) == text)
    }
}

@Suite struct TimeKindsTests {
    @Test func `The kinds of a stage that waits for the phone add up to its time, and most of it is no air`() throws {
        let report = try measure(LegacyHandler(), taps: 1)
        for stage in report.stages { #expect(UInt64(stage.mean.total) == stage.time.max, "\(stage.name)") }
        let message = try #require(report.stages.first { $0.name == "message to the phone" })
        #expect(message.mean[.window] > message.mean[.radio])
        // Two short packets of less than a millisecond each, one in each direction.
        #expect(message.mean[.radio] > 0 && message.mean[.radio] < 2_000)
    }
}
