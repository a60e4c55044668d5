/// The fast handler: the wearer waits for the strike and nothing else.
public struct ShippingHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// Three stages run before the panel update, five after it. The message comes before the haptic, which is the
    /// receipt for what is kept. There is no sorting database, because nothing needs it.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(PhoneMessage.self)
        Deferred(Haptic.self)
        Deferred(RemainingCount.self)
        Deferred(Placeholder.self)
        Deferred(ComplicationUpdate.self)
    }
}

/// The slow handler, as it had grown over the years: the wearer waits for all of its stages.
public struct LegacyHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// The strike and all eight duties run before the update of the panel.
    public var stages: some TapHandler {
        Immediate(SortingDatabase.self)
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Immediate(AwaitedPhoneMessage.self)
        Immediate(Haptic.self)
        Immediate(RemainingCount.self)
        Immediate(Placeholder.self)
        Immediate(ReloadingComplication.self)
    }
}

/// Every stage of Tapline, from which the lab composes its steps. No watch runs it as it is.
package struct EveryStage: ComposedTapHandler {
    package init() {}

    package var stages: some TapHandler {
        Immediate(SortingDatabase.self)
        Immediate(IncrementalSortingDatabase.self)
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Immediate(PhoneMessage.self)
        Immediate(AwaitedPhoneMessage.self)
        Immediate(Haptic.self)
        Immediate(RemainingCount.self)
        Immediate(Placeholder.self)
        Immediate(ComplicationUpdate.self)
        Immediate(ReloadingComplication.self)
    }
}
