import DeviceModel
import Foundation
import MachineWatch
import Testing
import Watch

@testable import TapLatency

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
            try Measurement.report(of: condition.stages, called: condition.testDescription, under: conditions).marks
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
