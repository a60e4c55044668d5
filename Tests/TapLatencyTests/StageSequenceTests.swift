import DeviceModel
import TapLatency
import Testing
import Watch
import WatchLink

@Suite struct StageSequenceTests {
    private struct Own: TapHandler {
        var deferredCount: Int { 0 }
        func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
        func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    @Test func `A composed handler tells its stages and their places`() throws {
        let sequence = try #require(StageSequence(of: ShippingHandler()))
        #expect(
            sequence.stages.map(\.name).prefix(4) == [
                "list model", "strike-through", "row removal", "message to the phone",
            ])
        #expect(sequence.stages.map(\.placement).prefix(4) == [.immediate, .immediate, .immediate, .deferred])
        #expect(sequence.deferredCount == ShippingHandler().deferredCount)
    }

    @Test func `A handler and the sequence of its stages take the same`() throws {
        let sequence = try #require(StageSequence(of: LegacyHandler()))
        let one = try measure(LegacyHandler(), taps: 3, name: "legacy")
        #expect(try measure(sequence, taps: 3, name: "legacy") == one)
    }

    @Test func `A handler that is not composed keeps no budget, and cannot be taken apart`() throws {
        #expect(StageSequence(of: Own()) == nil)
        let report = try measure(Own(), taps: 2)
        #expect(report.marks.updated?.count == 2)
        #expect(report.processor == .unknown)
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .seconds(60)) }
        #expect(error?.description.hasPrefix("handler 'own' takes a time that is not known: ") == true)
        #expect(throws: TapLatencyError.notComposed(handler: "own")) { try examine(Own()) }
    }
}

/// Tests handlers that lack one or two stages. Such a watch lacks the effects of these stages, and otherwise works.
@Suite struct MissingStageTests {
    private static let stages: [PlacedStage] = [
        .immediate(SortingDatabase.self), .immediate(ListModel.self), .immediate(StrikeThrough.self),
        .immediate(RowRemoval.self), .deferred(Haptic.self), .deferred(PhoneMessage.self),
        .deferred(RemainingCount.self), .deferred(Placeholder.self), .deferred(ComplicationUpdate.self),
    ]

    /// The stages that a handler lacks, as indices in `stages`. If only one stage is missing, both indices are equal.
    struct Gap: Sendable, CustomTestStringConvertible {
        var first: Int
        var second: Int

        var testDescription: String { "without " + Set([first, second]).sorted().map(name).joined(separator: " and ") }

        private func name(_ place: Int) -> String { MissingStageTests.stages[place].name }

        static var all: [Gap] {
            stages.indices.flatMap { first in (first..<stages.count).map { Gap(first: first, second: $0) } }
        }
    }

    enum Order: CaseIterable {
        case asItIs
        case everythingImmediate
        case everythingDeferred

        func place(_ stage: PlacedStage) -> PlacedStage {
            switch self {
            case .asItIs: stage
            case .everythingImmediate: .immediate(stage.stage)
            case .everythingDeferred: .deferred(stage.stage)
            }
        }
    }

    @Test(arguments: Gap.all, Order.allCases)
    func `two hundred taps end with watch and phone at rest`(gap: Gap, order: Order) throws {
        let left = Self.stages.enumerated().filter { $0.offset != gap.first && $0.offset != gap.second }
        let handler = StageSequence(left.map { order.place($0.element) })
        let bench = try WatchBench(phone: InMemoryPhone(items: 150), handler: handler, describing: .visible)
        bench.connect()
        var random = SplitMix64(seed: 5)
        var taps = 0
        // Taps one by one, then more taps at once than the queue of deferred stages holds, then taps without a phone.
        for _ in 0..<30 {
            bench.tap(randomRow(&random))
            bench.run(for: Microseconds(.random(in: 0..<600_000, using: &random)))
            taps += 1
        }
        for _ in 0..<70 {
            bench.watch.send(.tap(row: randomRow(&random)))
            taps += 1
        }
        _ = bench.watch.settle()
        bench.radio.cut()
        while taps < 200 {
            bench.tap(randomRow(&random))
            bench.run(for: .milliseconds(.random(in: 0..<300, using: &random)))
            taps += 1
        }
        bench.connect()
        #expect(bench.snapshot.description.isSynchronized)
        bench.run(for: .seconds(2))

        let before = bench.work.radio.bytes
        bench.run(for: .seconds(10))
        #expect(bench.work.radio.bytes - before < 100, "nothing goes back and forth but signs of life")
        if left.contains(where: { $0.element.stage == PhoneMessage.self }) {
            #expect(bench.titles == bench.phone.waiting.prefix(bench.titles.count).map(\.title))
            #expect(bench.screen.remaining == UInt32(bench.phone.waitingCount))
        }
    }

    private func randomRow(_ random: inout SplitMix64) -> Int {
        .random(in: 0..<RowGeometry.rowsVisible, using: &random)
    }
}
