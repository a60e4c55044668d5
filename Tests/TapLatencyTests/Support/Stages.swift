import TapLatency
import Watch
import WatchLink

/// Rewrites the order of the list three times over.
struct SlowStage: TapStage {
    static var name: StaticString { "slow" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        for _ in 0..<3 { SortingDatabase.run(tap, on: &watch) }
    }
}

/// Has the whole list sent again, and lets the wearer feel when it is here.
struct AskingStage: TapStage {
    static var name: StaticString { "asking" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        ReloadingComplication.run(tap, on: &watch)
        watch.board.play(.success)
    }
}

/// Executes 640,000 instructions: 15 ms at 64 MHz and 1.5 cycles each.
struct ComputingStage: CountedStage {
    static var name: StaticString { "computing" }
    static var instructions: Int { 640_000 }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
}

/// The shipping handler with a stage before it.
struct ShippingAfter<Stage: TapStage>: ComposedTapHandler {
    var stages: some TapHandler {
        Immediate(Stage.self)
        ShippingHandler()
    }
}
