// Measures a tap of your own: a stage that plays confetti, after the panel's update and before it.
//
//     tapline count --package Tests/Examples
//     swift test --package-path Tests/Examples --filter PartyTests
//     tapline lab --package Tests/Examples --handler ImpatientHandler
//
// The first command counts what the handlers take on the watch's processor. The second tests their budget (PartyTests.swift), and
// the third takes a handler apart, stage by stage.

import Watch

/// Celebrates every item that is checked off with a second pulse, after 20,000 steps of a generator that chooses where the
/// confetti fall.
public struct Confetti: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "confetti" }

    /// Falls, and pulses.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var state = UInt32(truncatingIfNeeded: tap.row) | 1
        for _ in 0..<20_000 {
            state ^= state &<< 13
            state ^= state &>> 17
            state ^= state &<< 5
        }
        // The result decides something, or the compiler would leave it out.
        watch.board.play(state == 0 ? .failure : .success)
    }
}

/// Confetti after the panel is updated.
public struct PartyHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// The strike first, confetti later.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(Confetti.self)
        Deferred(PhoneMessage.self)
    }
}

/// Confetti while the wearer waits.
public struct ImpatientHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// Everything at once.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Immediate(Confetti.self)
    }
}
