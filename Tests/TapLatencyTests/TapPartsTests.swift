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
        _ events: [(TracedEvent?, cycles: Int)]
    ) -> (around: [TapPart: CodeCount], stages: [String: CodeCount]) {
        var parts = TapParts()
        for event in events { parts.enter(CountedEvent(event: event.0, count: count(event.cycles))) }
        return (
            parts.sums.mapValues { $0.count / $0.times }, parts.stageSums.mapValues { $0.count / $0.times }
        )
    }

    /// The events of a tap, up to the update of the panel. The handler has two stages, and the watch sends two lines.
    /// Each event has the number of cycles since the event before it.
    private var update: [(TracedEvent?, cycles: Int)] {
        [
            (nil, 1_000), (.stepping, 70), (.input, 100), mark(.touch, 200), (.stageBegan("a", tap: tap), 46),
            (.stageEnded("a", tap: tap), 306), (.stageBegan("b", tap: tap), 66), (.stageEnded("b", tap: tap), 86),
            mark(.handled, 66), (.beginLines, 90), (.line, 50), (.line, 70), (.finishLines, 400), (.shownLines, 20),
            mark(.updated, 10),
        ]
    }

    private func mark(_ mark: TapMark, _ cycles: Int) -> (TracedEvent?, cycles: Int) {
        (.mark(mark, tap: tap, at: 0), cycles)
    }

    @Test func `a part ends with its event`() {
        let parts = parts(update)
        #expect(parts.around[.touch] == count(100 + 200 + 46))
        #expect(parts.stages["a"] == count(306))
        #expect(parts.stages["b"] == count(86))
        #expect(parts.around[.between] == count(66))
        #expect(parts.around[.flush] == count(90))
        #expect(parts.around[.line] == count(60))
        #expect(parts.around[.meanwhile] == count(400))
        #expect(parts.around[.shown] == count(20 + 10))
    }

    @Test func `the parts of an update are all that was spent until the panel had it`() {
        let parts = parts(update)
        let sum = [TapPart.touch, .between, .between, .flush, .line, .line, .meanwhile, .shown]
            .compactMap { parts.around[$0] }.reduce(.zero, +)
        let stages = parts.stages.values.reduce(.zero, +)
        let spent = update.dropFirst(2).reduce(0) { $0 + $1.cycles }
        #expect((sum + stages).cycles == spent)
    }

    @Test func `the check of a file takes the most that was counted for Tests/Examples`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Examples/tap-counts.json")
        let counts = try JSONDecoder().decode(HandlerCounts.self, from: Data(contentsOf: file))
        let checks = counts.handlers.flatMap(\.messages).filter { $0.name == MessageTitle.fileCheck }
        let most = try #require(checks.compactMap(\.worst).max { $0.mostCycles < $1.mostCycles })
        #expect(CountTable.fileCheck == CodeCount(instructions: most.mostInstructions, cycles: most.mostCycles))
    }

    @Test func `a row's removal is drawn once, before the first of its runs`() {
        let run: [(TracedEvent?, cycles: Int)] = [(.line, 50), (.finishLines, 30), (.shownLines, 5)]
        let events =
            update + [(nil, 700), (.beginLines, 20_000)] + run + [(.beginLines, 500)] + run + [mark(.settled, 9)]
        #expect(parts(events).around[.removal] == count(20_000))
        // The wearer waits for neither run, so they do not count as `.flush`.
        #expect(parts(events).around[.flush] == parts(update).around[.flush])
    }

    @Test func `news are drawn by themselves, and a datagram that changes nothing says what one takes`() {
        let events: [(TracedEvent?, cycles: Int)] =
            update + [
                (nil, 10), (.datagram, 400), (nil, 5_000), (.datagram, 400), (.beginLines, 30_000), (.line, 50),
                (.finishLines, 9), (.shownLines, 9), (nil, 60),
            ]
        let parts = parts(events)
        #expect(parts.around[.news] == count(30_400))
        #expect(parts.around[.datagram] == count(5_400))
        #expect(parts.around[.removal] == nil)
    }

    @Test func `a screen that the wearer asks for is counted by its lines`() {
        let events: [(TracedEvent?, cycles: Int)] = [
            (nil, 10), (.input, 400), (.beginLines, 1_600), (.line, 30), (.line, 30), (.finishLines, 5),
            (.shownLines, 5),
        ]
        #expect(parts(events).around[.drawnLine] == count(1_000))
    }

    @Test func `taps without a part make no table, and the part is named`() {
        #expect(throws: TapLatencyError.image("no tap that was executed has the part 'touch'")) {
            try CountColumn([])
        }
    }
}

private let imageUnderTest = ProcessInfo.processInfo.environment["LAB_FIRMWARE"]

/// Compares the times that `CountTable` predicts with the times of executed code. The table was counted under other
/// conditions.
@Suite(
    .enabled(
        if: imageUnderTest.map { FileManager.default.fileExists(atPath: $0) } ?? false, "LAB_FIRMWARE names no image"))
struct HeldOutTests {
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
        executed.processor = .executed(try LabImage(Array(bytes)))
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
