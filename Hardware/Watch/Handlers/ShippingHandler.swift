/// The fast handler: the wearer waits for the strike and nothing else.
public struct ShippingHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// Three stages run before the update of the panel, five after it. The message comes before the haptic, which is the
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
