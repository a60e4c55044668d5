/// What a tap on a row does: an ordered composition of stages, each placed before or after the update of the panel.
///
/// Handlers are put together with `TapHandlerBuilder`:
///
///     @TapHandlerBuilder
///     var quick: some TapHandler {
///         Immediate(ListModel.self)
///         Deferred(PhoneMessage.self)
///     }
public protocol TapHandler: Sendable {
    /// The number of deferred stages.
    var deferredCount: Int { get }

    /// Runs the immediate stages, in order.
    func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)

    /// Runs one deferred stage, counted from 0.
    func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)
}

/// A stage that runs in the handler itself, before the panel is updated.
public struct Immediate<Stage: TapStage>: TapHandler {
    /// Places `stage` before the update of the panel.
    public init(_ stage: Stage.Type) {}

    /// None.
    public var deferredCount: Int { 0 }

    /// Runs the stage.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }

    /// Does nothing.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
}

/// A stage that runs from the run loop's queue, after the panel is updated and whenever no tap waits.
public struct Deferred<Stage: TapStage>: TapHandler {
    /// Places `stage` after the update of the panel.
    public init(_ stage: Stage.Type) {}

    /// One.
    public var deferredCount: Int { 1 }

    /// Does nothing.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}

    /// Runs the stage.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }
}

/// Two handlers, one after the other.
public struct Then<First: TapHandler, Second: TapHandler>: TapHandler {
    /// The one that comes first.
    public let first: First
    /// The one that follows it.
    public let second: Second

    /// `first`, then `second`.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Those of both.
    public var deferredCount: Int { first.deferredCount + second.deferredCount }

    /// Runs the immediate stages of the first, then those of the second.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        first.runImmediate(tap, on: &watch)
        second.runImmediate(tap, on: &watch)
    }

    /// Runs the deferred stage that has this place among those of both.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        let own = first.deferredCount
        if index < own {
            first.runDeferred(index, tap, on: &watch)
        } else {
            second.runDeferred(index - own, tap, on: &watch)
        }
    }
}

/// A handler without stages: a tap does nothing at all.
public struct NoStages: TapHandler {
    /// The empty handler.
    public init() {}

    /// None.
    public var deferredCount: Int { 0 }

    /// Does nothing.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}

    /// Does nothing.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
}

/// Puts a handler together from placed stages, in the order in which they are written.
@resultBuilder
public enum TapHandlerBuilder {
    /// No stages.
    public static func buildBlock() -> NoStages {
        NoStages()
    }

    /// The first stage.
    public static func buildPartialBlock<First: TapHandler>(first: First) -> First {
        first
    }

    /// One stage after those before it.
    public static func buildPartialBlock<First: TapHandler, Second: TapHandler>(
        accumulated: First, next: Second
    ) -> Then<First, Second> {
        Then(accumulated, next)
    }
}
