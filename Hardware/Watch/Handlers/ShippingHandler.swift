/// The fast handler: the row is struck through and everything else follows.
public struct ShippingHandler: ComposedTapHandler {
    /// The shipping handler.
    public init() {}

    /// Three stages before the panel is updated, five after it. The sorting database is not among them: nothing needs it.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(Haptic.self)
        Deferred(PhoneMessage.self)
        Deferred(RemainingCount.self)
        Deferred(Placeholder.self)
        Deferred(ComplicationUpdate.self)
    }
}
