import DeviceModel
import MachineWatch
import Testing
import Watch

@testable import TapLatency

@Suite struct TapPartsTests {
    private let tap = TapNumber(1)

    private func count(_ cycles: Int) -> CodeCount { CodeCount(instructions: cycles / 2, cycles: cycles) }

    private func parts(_ calls: [(CountedCall.Kind, cycles: Int)]) -> [TapParts.Part: CodeCount] {
        var parts = TapParts()
        for call in calls { parts.enter(CountedCall(kind: call.0, count: count(call.cycles))) }
        return parts.sums.mapValues { $0.count / $0.times }
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
        #expect(parts[.touch] == count(100 + 200 + 40))
        #expect(parts[.stage("a")] == count(6 + 300))
        #expect(parts[.stage("b")] == count(6 + 80))
        #expect(parts[.between] == count(6 + 60))
        #expect(parts[.flush] == count(6 + 90))
        #expect(parts[.line] == count(60))
        #expect(parts[.meanwhile] == count(400))
        #expect(parts[.shown] == count(20))
    }

    @Test func `the parts of an update are all that was spent until the panel had it`() {
        let parts = parts(update)
        let sum = [TapParts.Part.touch, .stage("a"), .between, .stage("b"), .between, .flush, .line, .line]
            .compactMap { parts[$0] }.reduce(.zero, +)
        let last = [TapParts.Part.meanwhile, .shown].compactMap { parts[$0] }.reduce(.zero, +)
        let spent = update.dropFirst().prefix { $0.0 != .other }.reduce(0) { $0 + $1.cycles }
        #expect((sum + last).cycles == spent)
    }

    @Test func `a row's removal is drawn once, before the first of its runs`() {
        let run: [(CountedCall.Kind, cycles: Int)] = [(.line, 50), (.finishLines, 30), (.now, 5)]
        let calls =
            update + [(.idle, 700), (.beginLines, 20_000)] + run + [(.beginLines, 500)] + run
            + [(.mark(.settled, tap: tap), 9)]
        #expect(parts(calls)[.removal] == count(20_000))
        // Neither run is one that the wearer waits for.
        #expect(parts(calls)[.flush] == parts(update)[.flush])
    }

    @Test func `news are drawn by themselves, and a datagram that changes nothing says what one takes`() {
        let calls: [(CountedCall.Kind, cycles: Int)] =
            update + [
                (.idle, 10), (.datagram, 400), (.idle, 5_000), (.datagram, 400), (.beginLines, 30_000), (.line, 50),
                (.finishLines, 9), (.now, 9), (.idle, 60),
            ]
        let parts = parts(calls)
        #expect(parts[.news] == count(30_400))
        #expect(parts[.datagram] == count(5_400))
        #expect(parts[.removal] == nil)
    }

    @Test func `a screen that the wearer asks for is counted by its lines`() {
        let calls: [(CountedCall.Kind, cycles: Int)] = [
            (.idle, 10), (.input, 400), (.beginLines, 1_600), (.line, 30), (.line, 30), (.finishLines, 5), (.now, 5),
        ]
        #expect(parts(calls)[.drawnLine] == count(1_000))
    }

    @Test func `taps without a part make no table, and the part is named`() {
        #expect(throws: TapLatencyError.image("no tap that was executed has the part 'flush'")) {
            try CountColumn([])
        }
    }
}
