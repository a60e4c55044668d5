import WatchLink

/// The row that was tapped and is still on the panel.
public enum StruckRow: Sendable, BitwiseCopyable {
    /// No row is struck.
    case none
    /// A row is struck through and stays under the finger until the given time.
    case held(Tap, until: Instant)

    /// The item of the struck row.
    var item: ItemID? {
        switch self {
        case .none: nil
        case .held(let tap, _): tap.item
        }
    }

    /// When the row is to go.
    var deadline: Instant? {
        switch self {
        case .none: nil
        case .held(_, let until): until
        }
    }
}
