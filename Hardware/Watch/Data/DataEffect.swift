/// The part of the screen that a change of the data affects.
enum DataEffect: BitwiseCopyable {
    /// Rows and the remaining count.
    case list
    /// The list's name.
    case title
    /// The complication alone.
    case complication
    /// The sheet with past items.
    case past
    /// Nothing: these rows are beyond the watch, and more of them will follow.
    case passing
    /// Nothing: these rows are beyond the watch, and are the last.
    case passed
}
