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
