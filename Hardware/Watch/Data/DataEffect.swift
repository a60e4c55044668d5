/// What a change of the data means for the panel.
enum DataEffect: Sendable, BitwiseCopyable {
    /// Rows and the remaining count may have changed.
    case list
    /// The list's name may have changed.
    case title
    /// What the complication says may have changed, and nothing else.
    case complication
    /// Rows that this watch is not given went by, and more of them will: nothing has changed.
    case passing
    /// The last of them went by.
    case passed
}
