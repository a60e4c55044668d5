/// What a row of the list shows.
public enum RowState: UInt8, Sendable, BitwiseCopyable {
    /// The item is still to be had.
    case waiting = 0
    /// It has just been checked off: its title is struck through until the row goes.
    case struck = 1
}
