import WatchLink

/// Where an input leads from a screen.
enum ScreenMove: BitwiseCopyable {
    /// Nowhere.
    case stay
    /// To another screen.
    case show(Screen)
    /// To other rows of the list.
    case scroll(by: Int)
    /// To another time on the face: the number of entries to move by.
    case travel(by: Int)
    /// To the whole title of the list's first visible row.
    case readTitle
    /// To the whole title of the item that is this number of rows below, over the same screen.
    case readOn(from: ItemID, by: Int, returningTo: Screen.Underlying)
    /// Away from the digits of a pairing that are on the panel since then, with the wearer's answer.
    case answer(PairingAnswer, shownSince: Instant, returningTo: Screen.Underlying)
}

extension Screen {
    /// A touch at line `y` that is on no row.
    func afterTouch(y: Int16) -> ScreenMove {
        switch self {
        case .list(let state):
            Int(y) < RowGeometry.titleBarHeight ? .show(.sheet(.status, returningTo: .list(state))) : .stay
        case .face:
            // The face is one complication: touching it opens the list.
            .show(.list(ListState()))
        case .sheet(.pairing(_, let since), let under):
            .answer(.same, shownSince: since, returningTo: under)
        case .sheet(.status, let under), .sheet(.fullTitle, let under):
            .show(under.screen)
        }
    }

    /// The crown was turned.
    func afterCrown(_ detents: Int8) -> ScreenMove {
        switch self {
        case .list: .scroll(by: Int(detents))
        case .face: .travel(by: Int(detents))
        case .sheet(.fullTitle(let id), let under): .readOn(from: id, by: Int(detents), returningTo: under)
        case .sheet(.status, _), .sheet(.pairing, _): .stay
        }
    }

    /// A button was pressed.
    func afterPress(_ button: Button) -> ScreenMove {
        switch (button, self) {
        case (.crown, .list): .show(.face(.now))
        case (.crown, .face(.now)): .show(.list(ListState()))
        case (.crown, .face(.travelling)): .show(.face(.now))
        case (.side, .list): .readTitle
        case (.side, .face(let state)): .show(.sheet(.status, returningTo: .face(state)))
        case (.crown, .sheet(.pairing(_, let since), let under)):
            .answer(.same, shownSince: since, returningTo: under)
        case (.side, .sheet(.pairing(_, let since), let under)):
            .answer(.different, shownSince: since, returningTo: under)
        case (_, .sheet(.status, let under)), (_, .sheet(.fullTitle, let under)): .show(under.screen)
        }
    }
}
