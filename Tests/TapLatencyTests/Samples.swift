import Watch
import WatchLink

@testable import Emulator
@testable import TapLatency

extension LabReport {
    static let sample = LabReport(
        profile: "memory-lcd", items: 128, database: 2_000, taps: 200, seed: 20_251_121, steps: [],
        legacy: .legacySample, shipping: .shippingSample, panelFloor: .sample,
        curve: Curve(items: [], loss: []))
}

extension PanelFloor {
    static let sample = PanelFloor(
        updated: Distribution(p50: 2_408, p90: 2_408, p99: 2_408, max: 2_408, count: 200),
        settled: Distribution(p50: 11_768, p90: 12_008, p99: 12_008, max: 12_008, count: 200))
}

extension Distribution {
    static let updated = Distribution(p50: 2_619, p90: 2_622, p99: 2_631, max: 2_640, count: 200)
    static let settled = Distribution(p50: 12_041, p90: 12_102, p99: 12_283, max: 12_290, count: 200)

    static func around(_ median: UInt64) -> Distribution {
        Distribution(
            p50: median, p90: median + median / 50, p99: median + median / 20, max: median + median / 12, count: 200)
    }
}

extension MarkTimes {
    static func around(_ medians: [LatencyMark: UInt64]) -> MarkTimes {
        var times = MarkTimes()
        for (mark, median) in medians { times[mark] = .around(median) }
        return times
    }
}

extension StageReport {
    static func sample(_ name: String, _ placement: StagePlacement, _ mean: TimeKinds) -> StageReport {
        StageReport(name: name, placement: placement, time: .around(UInt64(mean.total)), mean: mean)
    }
}

extension TapReport {
    static let legacySample = TapReport(
        handler: "legacy", profile: "memory-lcd", profileNumbers: ["panel.bus_hertz": 2_000_000], items: 128,
        database: 2_000, taps: 200, seed: 20_251_121,
        marks: .around([
            .handled: 3_309_412, .updated: 3_311_820, .settled: 3_321_180, .durable: 2_904, .sent: 213_004,
            .committed: 251_800, .acknowledged: 308_115,
        ]),
        stages: [
            .sample("sorting database", .immediate, TimeKinds([.processor: 4_210, .flash: 214_300])),
            .sample("list model", .immediate, TimeKinds([.processor: 61, .flash: 850])),
            .sample("row removal", .immediate, TimeKinds([.processor: 142])),
            .sample("message to the phone", .immediate, TimeKinds([.processor: 214, .radio: 162_000, .phone: 93_100])),
            .sample("haptic", .immediate, TimeKinds([.processor: 9, .haptic: 230])),
            .sample("remaining count", .immediate, TimeKinds([.processor: 49])),
            .sample("placeholder", .immediate, TimeKinds([.processor: 3])),
            .sample("complication", .immediate, TimeKinds([.processor: 5_040, .radio: 2_310_400, .phone: 518_800])),
        ],
        dirtyLines: RedrawnLines(update: 30, removal: 147), bytesOnAir: 61_804, charge: 18_240, panelFloor: .sample)

    static let shippingSample: TapReport = {
        var report = TapReport(
            handler: "shipping", profile: "memory-lcd", profileNumbers: ["panel.bus_hertz": 2_000_000], items: 128,
            database: 2_000, taps: 200, seed: 20_251_121,
            marks: .around([
                .handled: 204, .durable: 3_940, .sent: 46_200, .committed: 81_440, .acknowledged: 136_400,
            ]),
            stages: [
                .sample("list model", .immediate, TimeKinds([.processor: 61])),
                .sample("row removal", .immediate, TimeKinds([.processor: 142])),
                .sample("haptic", .deferred, TimeKinds([.processor: 9.1, .haptic: 230])),
                .sample("message to the phone", .deferred, TimeKinds([.processor: 214.5, .flash: 850])),
                .sample("remaining count", .deferred, TimeKinds([.processor: 48.8])),
                .sample("placeholder", .deferred, TimeKinds([.processor: 3.1])),
                .sample("complication", .deferred, TimeKinds([.processor: 88.4])),
            ],
            dirtyLines: RedrawnLines(update: 30, removal: 147), bytesOnAir: 118.4, charge: 96.7, panelFloor: .sample)
        report.marks.updated = .updated
        report.marks.settled = .settled
        return report
    }()
}

extension CallProfile {
    static let sample = CallProfile(
        names: ["Watch.Glyphs.next()", "Watch.Frame.draw(part: Int)", "Watch.Title.run(_: Watch.Tap)", "memset"],
        calls: [
            Call(function: 2, caller: nil, cycles: 100, instructions: 80),
            Call(function: 1, caller: 0, cycles: 198, instructions: 150),
            Call(function: 0, caller: 1, cycles: 700, instructions: 500),
            Call(function: 3, caller: 0, cycles: 2, instructions: 1),
        ])
}

extension TapReport {
    static let executedSample: TapReport = {
        var report = shippingSample
        report.processor = .executed
        report.stages = Array(report.stages.prefix(2))
        for index in report.stages.indices { report.stages[index].code = .sample }
        report.aroundStages = .sample
        return report
    }()
}

struct SlowStage: TapStage {
    static var name: StaticString { "slow" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        for _ in 0..<3 { SortingDatabase.run(tap, on: &watch) }
    }
}

struct AskingStage: TapStage {
    static var name: StaticString { "asking" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        ReloadingComplication.run(tap, on: &watch)
        watch.board.play(.success)
    }
}

/// A stage with an empty body. `Conditions.countingComputingStage` charges 960,000 cycles for it: 15 ms at 64 MHz.
struct ComputingStage: TapStage {
    static var name: StaticString { "computing" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
}

extension StageCase {
    static func sample(items: Int, cycles: Int) -> StageCase {
        StageCase(
            items: items, titles: .long, runs: 1, instructions: Double(cycles), cycles: Double(cycles),
            mostInstructions: cycles, mostCycles: cycles, allowedCycles: cycles...cycles)
    }
}

extension Conditions {
    static let countingComputingStage: Conditions = {
        let count = StageCase.sample(items: 128, cycles: 960_000)
        let handler = HandlerCount(
            name: "TapLatencyTests.Computing",
            stages: [StageCount(name: "computing", placement: .immediate, cases: [count])], around: [], stackBytes: 1)
        var conditions = Conditions(taps: 5)
        conditions.counts = HandlerCounts(
            profile: .memoryLCD, places: [], sources: ["Tests/TapLatencyTests/Samples.swift": 1], handlers: [handler])
        return conditions
    }()
}

struct ShippingAfter<Stage: TapStage>: ComposedTapHandler {
    var stages: some TapHandler {
        Immediate(Stage.self)
        ShippingHandler()
    }
}
