import Watch

/// 200,000 steps of a generator, for code of a handler that lies in none of its stages.
@inline(never)
private func shuffle(_ seed: Int) -> UInt32 {
    var state = UInt32(truncatingIfNeeded: seed) | 1
    for _ in 0..<200_000 {
        state ^= state &<< 13
        state ^= state &>> 17
        state ^= state &<< 5
    }
    return state
}

/// Composes cheap stages, and computes before the first of them.
public struct EagerHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// What it seems to do.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(PhoneMessage.self)
    }

    /// What it does besides.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        if shuffle(tap.row) == 0 { watch.board.play(.failure) }
        stages.runImmediate(tap, on: &watch)
    }
}

/// Composes nothing: what it does is in its own code, where the lab cannot tell stages apart.
public struct WholeHandler: TapHandler {
    /// The handler has no state.
    public init() {}

    /// One.
    public var deferredCount: Int { 1 }

    /// Computes, and strikes the row through.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        if shuffle(tap.row) == 0 { watch.board.play(.failure) }
        ListModel.run(tap, on: &watch)
        StrikeThrough.run(tap, on: &watch)
    }

    /// Takes the row away once the wearer has seen the strike.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        RowRemoval.run(tap, on: &watch)
    }
}

/// Runs a stage that it does not list.
public struct SecretiveHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// What it says that it does.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
    }

    /// What it does.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runImmediate(tap, on: &watch)
        Immediate(SortedForever.self).runImmediate(tap, on: &watch)
    }
}
