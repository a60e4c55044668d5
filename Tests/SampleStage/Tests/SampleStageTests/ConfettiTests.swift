import TapLatency
import TapLatencyTesting
import Testing
import Watch

/// Celebrates every item that is checked off: 320,000 instructions, and a second pulse.
struct Confetti: CountedStage {
    static var name: StaticString { "confetti" }
    static var instructions: Int { 320_000 }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) { watch.board.play(.success) }
}

@Test func `Confetti after the update keeps the budget`() {
    let handler = StageSequence([
        .immediate(ListModel.self), .immediate(StrikeThrough.self), .immediate(RowRemoval.self),
        .deferred(Confetti.self),
    ])
    expect(handler, .updated, within: .milliseconds(8))
}

@Test func `Confetti before the update takes most of it, and the lab says what to do`() throws {
    let handler = StageSequence([
        .immediate(ListModel.self), .immediate(StrikeThrough.self), .immediate(RowRemoval.self),
        .immediate(Confetti.self),
    ])
    let trial = try examine(handler, budget: Budget(.updated, within: .milliseconds(5)))
    #expect(trial.culprit == "confetti")
    #expect(trial.stages.last?.advice == [.defer])
}
