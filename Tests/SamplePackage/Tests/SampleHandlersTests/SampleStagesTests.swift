import DeviceModel
import SampleHandlers
import TapLatency
import Testing
import Watch
import WatchLink

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

/// 200,000 steps of five instructions at least, each of a cycle or more, on a processor of 64 MHz: microseconds.
private let shuffling: UInt64 = 15_625

@Test func `What a handler computes before its stages delays the update`() throws {
    let report = try measure(EagerHandler(), taps: 2)
    let stages = try measure(#require(StageSequence(of: EagerHandler())), taps: 2)
    let time = try #require(report.marks.updated?.p50)
    #expect(time > shuffling)
    #expect(try #require(stages.marks.updated?.p50) + shuffling < time)
    #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(8)) }
    let trial = try examine(EagerHandler(), taps: 2)
    #expect(trial.verdict == .exceeds)
    #expect(trial.culprit == "code around the stages")
}

@Test func `A handler that is not composed of stages takes the time that was counted of it`() throws {
    let report = try measure(WholeHandler(), taps: 2)
    #expect(report.processor == .counted)
    #expect(try #require(report.marks.updated?.p50) > shuffling)
    try report.require(.updated, within: .milliseconds(30))
}

@Test func `A handler that runs other stages than it lists keeps no budget`() throws {
    let report = try measure(SecretiveHandler(), taps: 2)
    do {
        try report.require(.updated, within: .seconds(10))
        Issue.record("it passed")
    } catch {
        #expect(error.description.contains("it has run other stages than it lists"))
    }
}

/// What a handler does to the list and at the phone, on the virtual clock.
@Test func `A handler with a stage of one's own takes the row away and reports the check-off to the phone`() throws {
    let handler = StageSequence([
        .immediate(ListModel.self), .immediate(StrikeThrough.self), .immediate(RowRemoval.self),
        .deferred(Confetti.self), .deferred(PhoneMessage.self),
    ])
    let bench = try WatchBench(items: 8, handler: handler)
    bench.connect()
    bench.tap(0)
    bench.run(for: .seconds(1))
    #expect(bench.snapshot.description.rows.map(\.title).first == "Item 2")
    #expect(bench.snapshot.haptics.pulses.map(\.pattern) == [.success])
    #expect(bench.checkOffs == [1])
    try bench.restart()
    bench.connect()
    #expect(bench.snapshot.description.rows.count == 7)
    #expect(bench.checkOffs == [1])
}
