/// What a tap on a row does: an ordered composition of stages, each before or after the update of the panel.
///
/// Conform to `ComposedTapHandler` to write one.
public protocol TapHandler: Sendable {
    /// The number of deferred stages.
    var deferredCount: Int { get }

    /// Runs the immediate stages in order. The runtime calls it when it handles the touch; the panel is updated
    /// afterwards.
    func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)

    /// Runs a deferred stage, 0 ..< `deferredCount`. The runtime calls it once for each, in order, when no input waits.
    func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)
}

/// A stage before the update of the panel: the wearer waits for it.
public struct Immediate<Stage: TapStage>: TapHandler {
    /// Places a stage before the update of the panel.
    public init(_ stage: Stage.Type) {}

    /// The number of deferred stages.
    public var deferredCount: Int { 0 }

    /// Runs the immediate stages in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }

    /// Runs a deferred stage, 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
}

/// A stage after the update of the panel, from the run loop's queue, when no input waits.
public struct Deferred<Stage: TapStage>: TapHandler {
    /// Places a stage after the update of the panel.
    public init(_ stage: Stage.Type) {}

    /// The number of deferred stages.
    public var deferredCount: Int { 1 }

    /// Runs the immediate stages in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}

    /// Runs a deferred stage, 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }
}

/// Two handlers in order, as `TapHandlerBuilder` composes them.
public struct Then<First: TapHandler, Second: TapHandler>: TapHandler {
    package let first: First
    package let second: Second

    /// The number of deferred stages.
    public var deferredCount: Int { first.deferredCount + second.deferredCount }

    /// Runs the immediate stages in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        first.runImmediate(tap, on: &watch)
        second.runImmediate(tap, on: &watch)
    }

    /// Runs a deferred stage, 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        let own = first.deferredCount
        if index < own {
            first.runDeferred(index, tap, on: &watch)
        } else {
            second.runDeferred(index - own, tap, on: &watch)
        }
    }
}

/// A handler without stages: a tap has no effect.
public struct NoStages: TapHandler {
    /// A handler that does nothing.
    public init() {}

    /// The number of deferred stages.
    public var deferredCount: Int { 0 }

    /// Runs the immediate stages in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}

    /// Runs a deferred stage, 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
}

/// Composes a handler from stages in the order of the source.
@resultBuilder
public enum TapHandlerBuilder {
    /// The composition of no stages.
    public static func buildBlock() -> NoStages { NoStages() }

    /// The composition of the first stage.
    public static func buildPartialBlock<First: TapHandler>(first: First) -> First { first }

    /// The composition with one more stage at its end.
    public static func buildPartialBlock<First: TapHandler, Second: TapHandler>(
        accumulated: First, next: Second
    ) -> Then<First, Second> {
        Then(first: accumulated, second: next)
    }
}

/// A handler that lists its stages in the order in which they run. It is the usual way to write a handler:
///
///     struct QuickHandler: ComposedTapHandler {
///         var stages: some TapHandler {
///             Immediate(ListModel.self)
///             Immediate(StrikeThrough.self)
///             Immediate(RowRemoval.self)
///             Deferred(PhoneMessage.self)
///         }
///     }
public protocol ComposedTapHandler: TapHandler {
    associatedtype Stages: TapHandler
    /// The stages, each `Immediate` or `Deferred`.
    @TapHandlerBuilder var stages: Stages { get }
}

extension ComposedTapHandler {
    /// The number of deferred stages.
    public var deferredCount: Int { stages.deferredCount }

    /// Runs the immediate stages in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runImmediate(tap, on: &watch)
    }

    /// Runs a deferred stage, 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runDeferred(index, tap, on: &watch)
    }
}
