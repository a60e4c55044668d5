import WatchLink

/// What is on the panel. One enum says it all; what a screen looks like is a function of it and of the data.
public enum Screen: Sendable, BitwiseCopyable, Equatable {
    /// The watch face.
    case face(FaceState)
    /// The list: the app.
    case list(ListState)
    /// A sheet over one of the two, which is shown again as it was when the sheet closes.
    case sheet(Sheet, returningTo: Underlying)

    /// The screen under a sheet. (The device has no heap, so a smaller enum stands in for an indirect case.)
    public enum Underlying: Sendable, BitwiseCopyable, Equatable {
        /// The watch face.
        case face(FaceState)
        /// The list.
        case list(ListState)

        /// What is left of a screen without its sheet, if it has one.
        init(_ screen: Screen) {
            switch screen {
            case .face(let state): self = .face(state)
            case .list(let state): self = .list(state)
            case .sheet(_, let under): self = under
            }
        }

        /// The screen by itself again.
        public var screen: Screen {
            switch self {
            case .face(let state): .face(state)
            case .list(let state): .list(state)
            }
        }
    }
}

/// The face: the time that it shows.
public enum FaceState: Sendable, BitwiseCopyable, Equatable {
    /// The time that it is.
    case now
    /// The crown has been turned: the face shows the entry this many steps later (positive) or earlier (negative) on the
    /// complication's time line.
    case travelling(steps: Int8)

    /// The steps from the entry that is current.
    var steps: Int {
        switch self {
        case .now: 0
        case .travelling(let steps): Int(steps)
        }
    }
}

/// The list: how far it is scrolled.
public struct ListState: Sendable, BitwiseCopyable, Equatable {
    /// The row below the title bar, 0 for the top of the list.
    public var firstVisibleRow: Int

    /// The list, scrolled to `firstVisibleRow`.
    public init(firstVisibleRow: Int = 0) {
        self.firstVisibleRow = firstVisibleRow
    }
}

/// A sheet over a screen.
public enum Sheet: Sendable, BitwiseCopyable, Equatable {
    /// The link to the phone and the messages that wait for it.
    case status
    /// The whole title of an item whose row is too narrow for it.
    case fullTitle(ItemID)
    /// The digits of a phone that wants to pair, on the panel since then.
    case pairing(digits: UInt32, since: Instant)
}
