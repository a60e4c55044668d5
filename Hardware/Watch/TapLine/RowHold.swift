import WatchLink

/// The row that was tapped last and stays on the panel for a while.
enum RowHold: BitwiseCopyable {
    /// No row is held.
    case none
    /// The row of this tap stays under the finger until the given time.
    case held(Tap, until: Instant)

    /// Whether it is the row of this item that is held.
    func isOf(_ item: ItemID) -> Bool {
        switch self {
        case .none: false
        case .held(let tap, _): tap.item == item
        }
    }

    /// The item whose row is held.
    var item: ItemID? {
        switch self {
        case .none: nil
        case .held(let tap, _): tap.item
        }
    }

    /// When the row goes.
    var deadline: Instant? {
        switch self {
        case .none: nil
        case .held(_, let until): until
        }
    }
}
