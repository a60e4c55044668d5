import DeviceModel
import Foundation
import Testing
import Watch

@testable import Emulator
@testable import TapLatency

@Suite struct TapPartsTests {
    private let tap = TapNumber(1)

    private func count(_ cycles: Int) -> CodeCount { CodeCount(instructions: cycles / 2, cycles: cycles) }

    private func parts(
        _ calls: [(CountedCall.Kind, cycles: Int)]
    ) -> (around: [TapPart: CodeCount], stages: [String: CodeCount]) {
        var parts = TapParts()
        for call in calls { parts.enter(CountedCall(kind: call.0, count: count(call.cycles))) }
        return (
            parts.sums.mapValues { $0.count / $0.times }, parts.stageSums.mapValues { $0.count / $0.times }
        )
    }

    /// The update of a tap with two stages, and two lines that are sent.
    private var update: [(CountedCall.Kind, cycles: Int)] {
        [
            (.idle, 1_000), (.input, 100), (.mark(.touch, tap: tap), 200), (.now, 40), (.stageBegan("a"), 6),
            (.now, 300), (.stageEnded("a"), 6), (.now, 60), (.stageBegan("b"), 6), (.now, 80), (.stageEnded("b"), 6),
            (.now, 60), (.mark(.handled, tap: tap), 6), (.beginLines, 90), (.line, 50), (.line, 70),
            (.finishLines, 400), (.now, 20), (.other, 30), (.mark(.updated, tap: tap), 10),
        ]
    }

    @Test func `a part ends where its mark's time was taken, not where the mark is reported`() {
        let parts = parts(update)
        #expect(parts.around[.touch] == count(100 + 200 + 40))
        #expect(parts.stages["a"] == count(6 + 300))
        #expect(parts.stages["b"] == count(6 + 80))
        #expect(parts.around[.between] == count(6 + 60))
        #expect(parts.around[.flush] == count(6 + 90))
        #expect(parts.around[.line] == count(60))
        #expect(parts.around[.meanwhile] == count(400))
        #expect(parts.around[.shown] == count(20))
    }

    @Test func `the parts of an update are all that was spent until the panel had it`() {
        let parts = parts(update)
        let sum = [TapPart.touch, .between, .between, .flush, .line, .line, .meanwhile, .shown]
            .compactMap { parts.around[$0] }.reduce(.zero, +)
        let stages = parts.stages.values.reduce(.zero, +)
        let spent = update.dropFirst().prefix { $0.0 != .other }.reduce(0) { $0 + $1.cycles }
        #expect((sum + stages).cycles == spent)
    }

    @Test func `a row's removal is drawn once, before the first of its runs`() {
        let run: [(CountedCall.Kind, cycles: Int)] = [(.line, 50), (.finishLines, 30), (.now, 5)]
        let calls =
            update + [(.idle, 700), (.beginLines, 20_000)] + run + [(.beginLines, 500)] + run
            + [(.mark(.settled, tap: tap), 9)]
        #expect(parts(calls).around[.removal] == count(20_000))
        // Neither run is one that the wearer waits for.
        #expect(parts(calls).around[.flush] == parts(update).around[.flush])
    }

    @Test func `news are drawn by themselves, and a datagram that changes nothing says what one takes`() {
        let calls: [(CountedCall.Kind, cycles: Int)] =
            update + [
                (.idle, 10), (.datagram, 400), (.idle, 5_000), (.datagram, 400), (.beginLines, 30_000), (.line, 50),
                (.finishLines, 9), (.now, 9), (.idle, 60),
            ]
        let parts = parts(calls)
        #expect(parts.around[.news] == count(30_400))
        #expect(parts.around[.datagram] == count(5_400))
        #expect(parts.around[.removal] == nil)
    }

    @Test func `a screen that the wearer asks for is counted by its lines`() {
        let calls: [(CountedCall.Kind, cycles: Int)] = [
            (.idle, 10), (.input, 400), (.beginLines, 1_600), (.line, 30), (.line, 30), (.finishLines, 5), (.now, 5),
        ]
        #expect(parts(calls).around[.drawnLine] == count(1_000))
    }

    @Test func `taps without a part make no table, and the part is named`() {
        #expect(throws: TapLatencyError.image("no tap that was executed has the part 'touch'")) {
            try CountColumn([])
        }
    }
}

private let imageUnderTest = ProcessInfo.processInfo.environment["LAB_FIRMWARE"]

/// Whole taps on lists, titles, seeds and handlers that the table of counts was not counted on, executed and predicted.
@Suite(
    .enabled(
        if: imageUnderTest.map { FileManager.default.fileExists(atPath: $0) } ?? false, "LAB_FIRMWARE names no image"))
struct HeldOutTests {
    /// A condition that the table was not counted under.
    struct Condition: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var stages = StageSequence(of: ShippingHandler())?.stages ?? []
        var conditions = Conditions(taps: 20)

        init(_ name: String, _ stages: [PlacedStage]? = nil, _ change: (inout Conditions) -> Void = { _ in }) {
            testDescription = name
            if let stages { self.stages = stages }
            change(&conditions)
        }
    }

    private static let strike: [PlacedStage] = [
        .immediate(ListModel.self), .immediate(StrikeThrough.self), .immediate(RowRemoval.self),
    ]

    static let heldOut: [Condition] =
        [5, 9, 20, 64, 99].map { items in Condition("\(items) items") { ($0.items, $0.database) = (items, items) } }
        + [300, 999, 1_234, 20_000].map { items in Condition("\(items) items on the phone") { $0.database = items } }
        + [Condition("the row at the top") { $0.rows = .top }]
        + [(128, 2_000), (20, 20)].flatMap { items, database in
            [TitleLength.short, .long].map { titles in
                Condition("\(titles) titles, \(items) items") {
                    ($0.items, $0.database, $0.titles) = (items, database, titles)
                }
            }
        }
        + [2, 3, 4].map { seed in Condition("seed \(seed)") { $0.seed = seed } }
        + [
            Condition("the strike alone", strike),
            Condition("the message before the update", strike + [.immediate(PhoneMessage.self)]),
            Condition("the haptic before the update", [.immediate(Haptic.self)] + strike),
            Condition("the count before the update", strike + [.immediate(RemainingCount.self)]),
            Condition("the complication before the update", strike + [.immediate(ComplicationUpdate.self)]),
            Condition(
                "every stage before the update",
                (StageSequence(of: ShippingHandler())?.stages ?? []).map { .immediate($0.stage) }),
            Condition("the legacy handler", StageSequence(of: LegacyHandler())?.stages) { $0.taps = 2 },
        ]

    @Test(arguments: heldOut)
    func `the table predicts the update and the removal within 5 per cent`(condition: Condition) throws {
        let bytes = try #require(imageUnderTest.flatMap { FileManager.default.contents(atPath: $0) })
        var executed = condition.conditions
        executed.processor = .executed(try LabImage(Array(bytes), on: .memoryLCD))
        func marks(_ conditions: Conditions) throws -> MarkTimes {
            try conditions.bench(of: condition.stages).report(called: condition.testDescription).marks
        }
        let (predicted, found) = (try marks(condition.conditions), try marks(executed))
        for mark in [LatencyMark.updated, .settled] {
            #expect((predicted[mark] == nil) == (found[mark] == nil))
            guard let expected = predicted[mark], let times = found[mark] else { continue }
            for (guess, time) in [(expected.p50, times.p50), (expected.p99, times.p99)] {
                #expect(abs(Double(guess) / Double(time) - 1) <= 0.05, "\(mark): \(guess) for \(time) us")
            }
        }
    }
}
