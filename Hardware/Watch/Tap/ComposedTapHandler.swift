/// A handler that is described by its stages, in the order in which they run.
public protocol ComposedTapHandler: TapHandler {
    /// The type of the composition.
    associatedtype Stages: TapHandler
    /// The placed stages.
    @TapHandlerBuilder var stages: Stages { get }
}

extension ComposedTapHandler {
    /// The number of deferred stages.
    public var deferredCount: Int { stages.deferredCount }

    /// Runs the immediate stages, in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runImmediate(tap, on: &watch)
    }

    /// Runs one deferred stage, counted from 0.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runDeferred(index, tap, on: &watch)
    }
}

/// The fast handler: the row is struck through and everything else follows.
public struct ShippingHandler: ComposedTapHandler {
    /// The shipping handler.
    public init() {}

    /// Two stages before the panel is updated, five after it. The sorting database is not among them: nothing needs it.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(RowRemoval.self)
        Deferred(Haptic.self)
        Deferred(PhoneMessage.self)
        Deferred(RemainingCount.self)
        Deferred(Placeholder.self)
        Deferred(ComplicationUpdate.self)
    }
}

/// The handler as it had grown over the years: every duty in the handler itself, the wearer waiting for all of them.
public struct LegacyHandler: ComposedTapHandler {
    /// The legacy handler.
    public init() {}

    /// All eight stages before the panel is updated.
    public var stages: some TapHandler {
        Immediate(SortingDatabase.self)
        Immediate(ListModel.self)
        Immediate(RowRemoval.self)
        Immediate(AwaitedPhoneMessage.self)
        Immediate(Haptic.self)
        Immediate(RemainingCount.self)
        Immediate(Placeholder.self)
        Immediate(ReloadingComplication.self)
    }
}
