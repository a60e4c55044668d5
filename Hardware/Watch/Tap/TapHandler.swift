import WatchLink

/// A tap's work: an ordered composition of stages, each before or after the update of the panel.
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
    /// `TapHandlerBuilder` has not composed. The device never asks; a lab switches stages to measure them.
    var stageCount: Int { get }

    /// A stage, 0 ..< `stageCount`.
    func stage(_ index: Int) -> ListedStage

    /// Runs a stage, 0 ..< `stageCount`, wherever it is placed.
    func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)
}

/// By default a handler does nothing, and has no stages that could be told apart.
extension TapHandler {
    /// No deferred stage.
    public var deferredCount: Int { 0 }

    /// No immediate stage.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}

    /// No deferred stage.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}

    /// No stage.
    public var stageCount: Int { 0 }

    /// Traps: there is no stage.
    public func stage(_ index: Int) -> ListedStage { preconditionFailure("the handler has no such stage") }

    /// Traps: there is no stage.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        preconditionFailure("the handler has no such stage")
    }
}

/// A stage before the update of the panel: the wearer waits for it.
public struct Immediate<Stage: TapStage>: TapHandler {
    /// Places a stage before the update of the panel.
    public init(_ stage: Stage.Type) {}

    /// Runs the stage.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }

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

    /// One deferred stage.
    public var deferredCount: Int { 1 }

    /// Runs the stage.
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

/// A handler that lists its stages in the order in which they run. This is the usual way to write one:
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

/// A job of a tap on a row.
///
/// A stage has no state between taps: it works with the tap and the watch. The handler decides the order of its stages
/// and which of them run before the update of the panel.
public protocol TapStage: SendableMetatype {
    /// The stage's name in traces and reports.
    static var name: StaticString { get }

    /// Does the job. The runtime calls it once for each tap.
    ///
    /// - Parameters:
    ///   - tap: the tap, with the item and the time of the touch.
    ///   - watch: the watch, whose board is free to use.
    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)
}

extension WatchCore where B: ~Copyable {
    /// Runs a stage and traces its begin and end.
    mutating func run<Stage: TapStage>(_ stage: Stage.Type, for tap: Tap) {
        board.trace(.stageBegan(Stage.name, tap: tap.number, at: board.now))
        Stage.run(tap, on: &self)
        board.trace(.stageEnded(Stage.name, tap: tap.number, at: board.now))
    }
}

/// The place of a stage in its handler.
public enum StagePlacement: UInt8, Sendable, BitwiseCopyable {
    /// Before the panel is updated.
    case immediate = 0
    /// After the panel is updated.
    case deferred = 1
}

/// A stage of a handler, for a lab that takes the handler apart.
public struct ListedStage: Sendable, BitwiseCopyable {
    /// `TapStage.name`.
    public var name: StaticString
    /// Where the handler has it.
    public var placement: StagePlacement

    /// A stage called `name`.
    public init(_ name: StaticString, _ placement: StagePlacement) {
        self.name = name
        self.placement = placement
    }
}

/// A handler's own messages and its own sheet. Every tap handler conforms; by default it has neither.
///
///     struct CounterHandler: ComposedTapHandler {
///         var stages: some TapHandler { ... }
///
///         static func declare(_ names: inout MessageNames) {
///             names.latest("counter/limit", from: .phone)
///         }
///
///         func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
///             guard message.isNamed("counter/limit"), let limit = message.value(UInt32.self) else { return }
///             ...
///         }
///     }
public protocol MessageHandler: MessageDeclaring, Sendable {
    /// Takes an event under one of the names. The run loop calls it when no input and no stage of a tap waits.
    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>)

    /// The wearer has touched a button of the handler's sheet; 0 is the one on the left.
    func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>)
}

extension MessageHandler {
    /// Nothing.
    public func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {}

    /// Nothing.
    public func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {}
}
