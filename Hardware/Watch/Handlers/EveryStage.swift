/// Every stage of Tapline, so that whoever measures handlers can compose them anew. No watch runs it as it is.
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
