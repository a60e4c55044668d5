import Watch

/// Runs 200,000 steps of a random number generator. It stands for expensive code that a handler runs outside its
/// stages.
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

/// A handler that lists only cheap stages, but runs expensive code before the first stage.
public struct EagerHandler: ComposedTapHandler {
    /// Makes the handler, which has no state.
    public init() {}

    /// The stages that the handler lists.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(PhoneMessage.self)
    }

    /// Runs the expensive code, and then the immediate stages.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        if shuffle(tap.row) == 0 { watch.board.play(.failure) }
        stages.runImmediate(tap, on: &watch)
    }
}

/// A handler without a list of stages. All its work is in its own code, so the lab cannot tell stages apart.
public struct WholeHandler: TapHandler {
    /// Makes the handler, which has no state.
    public init() {}

    /// One: the removal of the row.
    public var deferredCount: Int { 1 }

    /// Runs the expensive code, and then strikes the row through.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        if shuffle(tap.row) == 0 { watch.board.play(.failure) }
        ListModel.run(tap, on: &watch)
        StrikeThrough.run(tap, on: &watch)
    }

    /// Removes the row after the wearer has seen the strike.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        RowRemoval.run(tap, on: &watch)
    }
}

/// A handler that runs a stage that it does not list.
public struct SecretiveHandler: ComposedTapHandler {
    /// Makes the handler, which has no state.
    public init() {}

    /// The stages that the handler lists.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
    }

    /// Runs the listed immediate stages, and then a stage that is not listed.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runImmediate(tap, on: &watch)
        Immediate(SortedForever.self).runImmediate(tap, on: &watch)
    }
}
