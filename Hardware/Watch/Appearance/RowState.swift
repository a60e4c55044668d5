/// What a row of the list shows.
public enum RowState: UInt8, Sendable, BitwiseCopyable {
    /// The title.
    case waiting = 0
    /// The title, struck through: the row of an item that has just been checked off.
    case struck = 1
}
