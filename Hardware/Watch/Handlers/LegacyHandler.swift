/// The handler as it had grown over the years: every duty in the handler itself, the wearer waiting for all of them.
public struct LegacyHandler: ComposedTapHandler {
    /// The legacy handler.
    public init() {}

    /// The strike and all eight duties before the panel is updated.
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
