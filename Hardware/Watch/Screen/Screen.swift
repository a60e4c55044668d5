import WatchLink

/// The screen on the panel. Its appearance is a function of it and of the data.
enum Screen: Sendable, BitwiseCopyable, Equatable {
    case face(FaceState)
    case list(ListState)
    /// A sheet over one of the two, which returns as it was when the sheet closes.
    case sheet(Sheet, returningTo: Underlying)

    /// The screen under a sheet: a smaller enum in place of an indirect case, for which the device has no heap.
    enum Underlying: Sendable, BitwiseCopyable, Equatable {
        case face(FaceState)
        case list(ListState)

        /// The screen without its sheet, if it has one.
        init(_ screen: Screen) {
            switch screen {
            case .face(let state): self = .face(state)
            case .list(let state): self = .list(state)
            case .sheet(_, let under): self = under
            }
        }

        var screen: Screen {
            switch self {
            case .face(let state): .face(state)
            case .list(let state): .list(state)
            }
        }
    }
}

/// The time that the face shows.
enum FaceState: Sendable, BitwiseCopyable, Equatable {
    case now
    /// Time travel: the entry this many steps later (positive) or earlier (negative) on the complication's time line. Unless
    /// the crown turns, the face shows the present again from `until` on.
    case travelling(steps: Int8, until: Instant)

    /// The steps from the current entry.
    var steps: Int {
        switch self {
        case .now: 0
        case .travelling(let steps, _): Int(steps)
        }
    }
}

extension Screen {
    /// When the face returns from another time by itself, nil while it shows none.
    var travelEnd: Instant? {
        switch self {
        case .face(.travelling(_, let until)): until
        case .face(.now), .list, .sheet: nil
        }
    }
}

struct ListState: Sendable, BitwiseCopyable, Equatable {
    /// The row below the title bar, 0 for the top of the list.
    var firstVisibleRow = 0
}

enum Sheet: Sendable, BitwiseCopyable, Equatable {
    /// The link to the phone and the number of waiting messages.
    case status
    /// The full title of an item.
    case fullTitle(ItemID)
    /// Past items to add back, from this one on.
    case past(first: UInt8)
    /// The digits of a phone that wants to pair, shown since this time.
    case pairing(digits: UInt32, since: Instant)
    /// The handler's own.
    case handler
}
