import SampleHandlers
import TapLatency
import Testing
import Watch

@Test func `Confetti after the update keeps the budget`() throws {
    try measure(PartyHandler()).require(.updated, within: .milliseconds(8))
}

@Test func `Confetti before the update takes most of it, and the lab says what to do`() throws {
    let trial = try examine(ImpatientHandler(), budget: Budget(.updated, within: .milliseconds(2)), taps: 12)
    #expect(trial.culprit == "confetti")
    #expect(trial.stages.last?.advice == [.defer])
}

@Test func `A stage that computes for seconds takes seconds`() throws {
    let report = try measure(SortingHandler(), taps: 1)
    // 87 million instructions, as tap-counts.json says.
    let time = try #require(report.marks.updated?.p50)
    #expect((1_600_000...1_750_000).contains(time))
    #expect(report.slowestStage(until: .updated)?.name == "sorted forever")
    #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(8)) }
}

/// Nobody has counted it.
private struct Forgotten: TapStage {
    static var name: StaticString { "forgotten" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
}

@Test func `A stage that nobody has counted keeps no budget, and the failure names the command`() throws {
    let report = try measure(
        StageSequence([.immediate(ListModel.self), .immediate(StrikeThrough.self), .immediate(Forgotten.self)]), taps: 1
    )
    do {
        try report.require(.updated, within: .seconds(10))
        Issue.record("it passed")
    } catch {
        #expect(error.description.hasPrefix("stage 'forgotten' takes a time that is not known: "))
        #expect(error.description.contains("tapline count"))
    }
}
