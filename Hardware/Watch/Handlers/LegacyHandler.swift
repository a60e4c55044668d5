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
