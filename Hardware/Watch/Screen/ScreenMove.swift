import WatchLink

enum ScreenMove: BitwiseCopyable {
    case stay
    case show(Screen)
    case scroll(by: Int)
    /// Move the face by this number of entries of `Timeline`. Positive values lead to later entries.
    case travel(by: Int)
    case changeFace(by: Int)
    case changeTheme(by: Int)
    case readTitle
    /// Show the full title of the item that is `by` rows below the item `from`.
    case readOn(from: ItemID, by: Int, returningTo: Screen.Underlying)
    case offer(first: Int, returningTo: Screen.Underlying)
    case answer(PairingAnswer, shownSince: Instant, returningTo: Screen.Underlying)
    case openPairing
    case openSheet(returningTo: Screen.Underlying)
    case pressButton(Int)
}

extension Screen {
    /// Returns the effect of a tap outside the rows. The finger came down at line `down` and was lifted at line `up`. If both
    /// happened on the same button of the handler's sheet, the parameter `button` is the index of that button; otherwise nil.
    func afterTap(fromY down: Int, toY up: Int, button: Int?) -> ScreenMove {
        switch self {
        case .list(let state):
            max(down, up) < RowGeometry.titleBarHeight ? .show(.sheet(.status, returningTo: .list(state))) : .stay
        case .face:
            // The whole face counts as its complication. A tap on the complication opens the list.
            .show(.list(ListState()))
        // The pairing question may have appeared under the finger.
        case .sheet(.pairing, _): .stay
        case .sheet(.handler, _): button.map { .pressButton($0) } ?? .stay
        case .sheet(.past, let under): max(down, up) < RowGeometry.titleBarHeight ? .show(under.screen) : .stay
        case .sheet(.status, let under), .sheet(.fullTitle, let under):
            .show(under.screen)
        }
    }

    func afterCrown(_ detents: Int8) -> ScreenMove {
        switch self {
        case .face: .travel(by: Int(detents))
        case .list, .sheet(.status, _), .sheet(.fullTitle, _), .sheet(.past, _), .sheet(.pairing, _),
            .sheet(.handler, _):
            afterDrag(rows: Int(detents))
        }
    }

    /// Returns the effect of a drag by `rows` rows. Positive values move to later rows. On the face, a drag does nothing, so
    /// that a slipping finger does not change the time that the face shows. If the board has no crown, the runtime calls
    /// `afterCrown` for a drag.
    func afterDrag(rows: Int) -> ScreenMove {
        switch self {
        case .list: .scroll(by: rows)
        case .sheet(.fullTitle(let id), let under): .readOn(from: id, by: rows, returningTo: under)
        case .sheet(.past(let first), let under): .offer(first: Int(first) + rows, returningTo: under)
        case .face, .sheet(.status, _), .sheet(.pairing, _), .sheet(.handler, _): .stay
        }
    }

    /// Returns the effect of a swipe. `step` is 1 if the finger moved left, which leads to the next face, screen or theme, and
    /// -1 if it moved right.
    func afterSwipe(_ step: Int) -> ScreenMove {
        switch self {
        case .face: .changeFace(by: step)
        // The past items are to the right of the list.
        case .list(let state): step > 0 ? .offer(first: 0, returningTo: .list(state)) : .stay
        case .sheet(.past, let under): step < 0 ? .show(under.screen) : .stay
        case .sheet(.status, _): .changeTheme(by: step)
        case .sheet(.fullTitle, _), .sheet(.pairing, _), .sheet(.handler, _): .stay
        }
    }

    func afterPress(_ button: Button) -> ScreenMove {
        switch (self, button) {
        case (.list, .crown), (.face(.travelling), .crown): .show(.face(.now))
        case (.face(.now), .crown): .show(.list(ListState()))
        case (.list, .side): .readTitle
        case (.face(let state), .side): .show(.sheet(.status, returningTo: .face(state)))
        // A short press may have been meant for the screen before the question. A long press is meant for the question.
        case (.sheet(.pairing, _), .crown): .stay
        case (.sheet(.pairing(_, let since), let under), .side):
            .answer(.different, shownSince: since, returningTo: under)
        case (.sheet(.status, let under), .crown), (.sheet(.status, let under), .side),
            (.sheet(.fullTitle, let under), .crown), (.sheet(.fullTitle, let under), .side),
            (.sheet(.handler, let under), .crown), (.sheet(.handler, let under), .side),
            (.sheet(.past, let under), .crown), (.sheet(.past, let under), .side):
            .show(under.screen)
        }
    }

    /// Returns the effect of holding a button. The press of the button came earlier, and may already have changed the screen.
    func afterHold(_ button: Button) -> ScreenMove {
        switch (self, button) {
        case (.sheet(.pairing(_, let since), let under), .crown):
            .answer(.same, shownSince: since, returningTo: under)
        // The button's press has just opened or closed the status sheet.
        case (.face, .side), (.sheet(.status, .face), .side): .openPairing
        // The button's press has just changed from the list to the face, or back.
        case (.face(let state), .crown): .openSheet(returningTo: .face(state))
        case (.list(let state), .crown): .openSheet(returningTo: .list(state))
        case (.list, .side), (.sheet(.status, .list), .side), (.sheet(.status, _), .crown),
            (.sheet(.fullTitle, _), .crown), (.sheet(.fullTitle, _), .side), (.sheet(.past, _), .crown),
            (.sheet(.past, _), .side), (.sheet(.pairing, _), .side), (.sheet(.handler, _), .crown),
            (.sheet(.handler, _), .side):
            .stay
        }
    }
}
