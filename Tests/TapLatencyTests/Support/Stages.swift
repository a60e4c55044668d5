import Glibc
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

/// Traps on the third tap.
struct TrappingStage: TapStage {
    static var name: StaticString { "trapping" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        precondition(tap.number.count < 3, "this is what the stage is for")
    }
}

/// Calls itself for ever.
struct RecursingStage: TapStage {
    static var name: StaticString { "recursing" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        _ = depth(UInt64(tap.number.count))
    }

    private static func depth(_ number: UInt64) -> UInt64 {
        number == 0 ? 0 : depth(number &+ 1) &+ number
    }
}

/// Computes for ever.
struct SpinningStage: TapStage {
    static var name: StaticString { "spinning" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var number = tap.number.count | 1
        while number != 0 { number = number &* 3 }
    }
}

/// Waits for something that never happens.
struct WaitingStage: TapStage {
    static var name: StaticString { "waiting" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        while tap.number.count > 0 { watch.board.idle(until: nil) }
    }
}

/// The shipping handler with a stage before it.
struct ShippingAfter<Stage: TapStage>: ComposedTapHandler {
    var stages: some TapHandler {
        Immediate(Stage.self)
        ShippingHandler()
    }
}

/// Waits on this machine for something that never happens.
struct BlockingStage: TapStage {
    static var name: StaticString { "blocking" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        while tap.number.count > 0 { pause() }
    }
}

/// Ends the program.
struct ExitingStage: TapStage {
    static var name: StaticString { "exiting" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        _exit(0)
    }
}
