import WatchLink

enum ScreenMove: BitwiseCopyable {
    case stay
    case show(Screen)
    /// Scrolls the list by a number of rows.
    case scroll(by: Int)
    /// Moves the face along the time line by a number of entries.
    case travel(by: Int)
    /// Changes to the face that is a number of faces further.
    case changeFace(by: Int)
    /// Shows the full title of the list's first visible row.
    case readTitle
    /// Shows the full title of the item a number of rows below this one.
    case readOn(from: ItemID, by: Int, returningTo: Screen.Underlying)
    /// Shows the past items around this one.
    case offer(first: Int, returningTo: Screen.Underlying)
    /// Ends the pairing whose digits are shown since this time with an answer.
    case answer(PairingAnswer, shownSince: Instant, returningTo: Screen.Underlying)
    /// Lets phones pair for a while.
    case openPairing
    /// Opens the handler's sheet, if it has one.
    case openSheet(returningTo: Screen.Underlying)
    /// Presses a button of the handler's sheet.
    case pressButton(Int)
}

extension Screen {
    /// A tap that is on no row.
    ///
    /// - Parameters:
    ///   - down: the line where the finger came down.
    ///   - up: the line where it lifted.
    ///   - button: the button of the handler's sheet that has both places, nil for none.
    func afterTap(fromY down: Int, toY up: Int, button: Int?) -> ScreenMove {
        switch self {
        case .list(let state):
            max(down, up) < RowGeometry.titleBarHeight ? .show(.sheet(.status, returningTo: .list(state))) : .stay
        case .face:
            // A tap on the complication opens the list, and the whole face counts as it.
            .show(.list(ListState()))
        // The question may have come up under the finger.
        case .sheet(.pairing, _): .stay
        case .sheet(.handler, _): button.map { .pressButton($0) } ?? .stay
        // A tap beside the rows is not meant for one.
        case .sheet(.past, let under): max(down, up) < RowGeometry.titleBarHeight ? .show(under.screen) : .stay
        case .sheet(.status, let under), .sheet(.fullTitle, let under):
            .show(under.screen)
        }
    }

    func afterCrown(_ detents: Int8) -> ScreenMove {
        switch self {
        case .face: .travel(by: Int(detents))
        case .list, .sheet: afterDrag(rows: Int(detents))
        }
    }

    /// A drag by whole rows, towards later ones when positive: what the crown does to a list and to a sheet. Time travel is the crown's
    /// alone, so that a finger that slips on the face changes nothing.
    func afterDrag(rows: Int) -> ScreenMove {
        switch self {
        case .list: .scroll(by: rows)
        case .sheet(.fullTitle(let id), let under): .readOn(from: id, by: rows, returningTo: under)
        case .sheet(.past(let first), let under): .offer(first: Int(first) + rows, returningTo: under)
        case .face, .sheet(.status, _), .sheet(.pairing, _), .sheet(.handler, _): .stay
        }
    }

    /// A swipe, towards what is on the right when positive.
    func afterSwipe(_ step: Int) -> ScreenMove {
        switch self {
        case .face: .changeFace(by: step)
        // The past items are to the right of the list.
        case .list(let state): step > 0 ? .offer(first: 0, returningTo: .list(state)) : .stay
        case .sheet(.past, let under): step < 0 ? .show(under.screen) : .stay
        case .sheet: .stay
        }
    }

    func afterPress(_ button: Button) -> ScreenMove {
        switch (button, self) {
        case (.crown, .list): .show(.face(.now))
        case (.crown, .face(.now)): .show(.list(ListState()))
        case (.crown, .face(.travelling)): .show(.face(.now))
        case (.side, .list): .readTitle
        case (.side, .face(let state)): .show(.sheet(.status, returningTo: .face(state)))
        // A press may have been meant for the screen under the question; a hold is not.
        case (.crown, .sheet(.pairing, _)): .stay
        case (.side, .sheet(.pairing(_, let since), let under)):
            .answer(.different, shownSince: since, returningTo: under)
        case (_, .sheet(.status, let under)), (_, .sheet(.fullTitle, let under)), (_, .sheet(.handler, let under)),
            (_, .sheet(.past, let under)):
            .show(under.screen)
        }
    }

    /// A button is held; its press came before.
    func afterHold(_ button: Button) -> ScreenMove {
        switch (button, self) {
        case (.crown, .sheet(.pairing(_, let since), let under)):
            .answer(.same, shownSince: since, returningTo: under)
        // The press has opened or closed the status sheet.
        case (.side, .face), (.side, .sheet(.status, .face)): .openPairing
        // Its press has changed between the two.
        case (.crown, .face), (.crown, .list): .openSheet(returningTo: Screen.Underlying(self))
        case (.crown, .sheet), (.side, .list), (.side, .sheet): .stay
        }
    }
}
