import Testing
import Watch

@testable import TapLatency

struct EssayShareTests {
    private func shares(_ times: [(String, Double)]) -> [EssayShare] {
        var report = LabReport.sample
        report.legacy.stages = times.map { .sample($0.0, .immediate, TimeKinds(processor: $0.1)) }
        return report.essayShares
    }

    @Test func `a share is of the time of all stages`() {
        #expect(shares([("haptic", 100), ("complication", 300)]).map(\.share) == [0.25, 0.75])
        #expect(shares([]) == [])
    }

    @Test func `a reason stands where a major duty takes little or another one takes much`() {
        let found = shares([("sorting database", 1), ("message to the phone", 50), ("complication", 49), ("haptic", 0)])
        #expect(found[0].reason != nil && found[0].finding == .majorRemoved)
        #expect(found[1].reason == nil && found[1].finding == .majorDeferred)
        #expect(found[2].reason != nil && found[2].finding == .reload)
        #expect(found[3].reason == nil && found[3].finding == EssayShare.Finding.none)
    }

    @Test func `every stage of the handler as it had grown is in the essay`() {
        let stages = StageSequence(of: LegacyHandler())?.stages ?? []
        #expect(stages.count == 9)
        #expect(shares(stages.map { ($0.name, 1) }).allSatisfy { $0.finding != nil })
    }

    @Test func `a stage that the essay does not have has no finding`() {
        #expect(shares([("confetti", 1)]).map(\.finding) == [nil])
    }
}
