import DeviceModel
import SampleHandlers
import TapLatency
import Testing
import Watch
import WatchLink

@Test func `A stage that computes for seconds takes seconds`() throws {
    let report = try measure(SortingHandler(), taps: 1)
    // 87 million instructions, as tap-counts.json says.
    let time = try #require(report.marks.updated?.p50)
    #expect((2_150_000...2_300_000).contains(time))
    #expect(report.slowestStage(until: .updated)?.name == "sorted forever")
    #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(8)) }
}

/// The minimum time of `shuffle` in OwnCode.swift, in microseconds. 200,000 steps have at least five instructions each.
/// An instruction takes at least one cycle at 64 MHz.
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
    try report.require(.updated, within: .milliseconds(40))
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
