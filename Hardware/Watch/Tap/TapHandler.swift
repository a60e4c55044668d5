/// What a tap on a row does: an ordered composition of stages, each before or after the update of the panel.
///
/// Conform to `ComposedTapHandler` to write one.
public protocol TapHandler: MessageHandler {
    /// The number of deferred stages.
    var deferredCount: Int { get }

    /// Runs the immediate stages in order. The runtime calls it when it handles the touch; the panel is updated
    /// afterwards.
    func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)

    /// Runs a deferred stage, 0 ..< `deferredCount`. The runtime calls it once for each, in order, when no input waits.
    func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)

    /// The number of stages, immediate and deferred, in the order of the source; 0 for a handler that
    /// `TapHandlerBuilder` has not composed. The device never asks: whoever measures a handler switches its stages.
    var stageCount: Int { get }

    /// A stage, 0 ..< `stageCount`.
    func stage(_ index: Int) -> ListedStage

    /// Runs a stage, 0 ..< `stageCount`, wherever it is placed.
    func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)
}

/// A handler of one's own has no stages that could be told apart.
extension TapHandler {
    /// None.
    public var stageCount: Int { 0 }

    /// There is none: a trap.
    public func stage(_ index: Int) -> ListedStage { preconditionFailure("the handler has no such stage") }

    /// There is none: a trap.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        preconditionFailure("the handler has no such stage")
    }
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

    /// One stage.
    public var stageCount: Int { 1 }

    /// The stage.
    public func stage(_ index: Int) -> ListedStage { ListedStage(Stage.name, .immediate) }

    /// Runs the stage.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }
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

    /// One stage.
    public var stageCount: Int { 1 }

    /// The stage.
    public func stage(_ index: Int) -> ListedStage { ListedStage(Stage.name, .deferred) }

    /// Runs the stage.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
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

    /// The stages of both.
    public var stageCount: Int { first.stageCount + second.stageCount }

    /// A stage, 0 ..< `stageCount`.
    public func stage(_ index: Int) -> ListedStage {
        let own = first.stageCount
        return index < own ? first.stage(index) : second.stage(index - own)
    }

    /// Runs a stage, 0 ..< `stageCount`.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        let own = first.stageCount
        if index < own {
            first.runStage(index, tap, on: &watch)
        } else {
            second.runStage(index - own, tap, on: &watch)
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

    /// The number of stages.
    public var stageCount: Int { stages.stageCount }

    /// A stage, 0 ..< `stageCount`.
    public func stage(_ index: Int) -> ListedStage { stages.stage(index) }

    /// Runs a stage, 0 ..< `stageCount`.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runStage(index, tap, on: &watch)
    }
}
