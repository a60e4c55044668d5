// Measures a tap of your own: a stage that plays confetti, after the panel's update and before it.
//
//     tapline count --package Tests/Examples
//     swift test --package-path Tests/Examples --filter PartyTests
//     tapline lab --package Tests/Examples --handler ImpatientHandler
//
// The first command counts what the handlers take on the watch's processor. The second tests their budget (PartyTests.swift), and
// the third takes a handler apart, stage by stage.

import Watch

/// A stage that plays a haptic pulse for each item that is checked off. Before the pulse it computes 20,000 steps of a
/// random generator, which stand for the work of placing confetti.
public struct Confetti: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "confetti" }

    /// Spends time on a computation, and then plays the pulse.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var state = UInt32(truncatingIfNeeded: tap.row) | 1
        for _ in 0..<20_000 {
            state ^= state &<< 13
            state ^= state &>> 17
            state ^= state &<< 5
        }
        // The pulse depends on the result. Otherwise the compiler would remove the computation.
        watch.board.play(state == 0 ? .failure : .success)
    }
}

/// A handler that runs `Confetti` after the panel is updated.
public struct PartyHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// `Confetti` is deferred, so the wearer does not wait for it.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(Confetti.self)
        Deferred(PhoneMessage.self)
    }
}

/// A handler that runs `Confetti` before the panel is updated, while the wearer waits.
public struct ImpatientHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// All stages are immediate, so the wearer waits for each of them.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Immediate(Confetti.self)
    }
}
