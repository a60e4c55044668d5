import WatchLink

/// One of the watch's screens, with its state. The picture is drawn from this state and from the watch's data.
enum Screen: Sendable, BitwiseCopyable, Equatable {
    case face(FaceState)
    case list(ListState)
    /// A sheet covers the face or the list. When the sheet closes, the watch shows the screen in `returningTo` again.
    case sheet(Sheet, returningTo: Underlying)

    /// The screen under a sheet. This is a separate type, because a recursive `Screen` would need a heap.
    enum Underlying: Sendable, BitwiseCopyable, Equatable {
        case face(FaceState)
        case list(ListState)

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

enum FaceState: Sendable, BitwiseCopyable, Equatable {
    case now
    /// The wearer has turned the crown, and the face shows another entry of `Timeline`. At `until`, the face returns to `now`.
    /// `steps` counts entries from the present entry, and is negative for earlier ones.
    case travelling(steps: Int8, until: Instant)

    var steps: Int {
        switch self {
        case .now: 0
        case .travelling(let steps, _): Int(steps)
        }
    }
}

extension Screen {
    var travelEnd: Instant? {
        switch self {
        case .face(.travelling(_, let until)): until
        case .face(.now), .list, .sheet: nil
        }
    }
}

struct ListState: Sendable, BitwiseCopyable, Equatable {
    var firstVisibleRow = 0
}

enum Sheet: Sendable, BitwiseCopyable, Equatable {
    case status
    case fullTitle(ItemID)
    /// The past items, which the wearer can add to the list again. The index of the first visible item is `first`.
    case past(first: UInt8)
    case pairing(digits: UInt32, since: Instant)
    case handler
}

extension Screen {
    var hasRows: Bool {
        switch self {
        case .list, .sheet(.past, _): true
        case .face, .sheet(.status, _), .sheet(.fullTitle, _), .sheet(.pairing, _), .sheet(.handler, _): false
        }
    }

    /// Returns the screen's rows and the index of the first visible row; nil if `hasRows` is false. If past items have been
    /// removed since the wearer scrolled, the index is lowered, so that the rows fill the panel.
    func rows(of items: borrowing ItemList) -> (ItemRows, first: Int)? {
        switch self {
        case .list(let state): return (items.rows(.list), state.firstVisibleRow)
        case .sheet(.past(let first), _):
            let rows = items.rows(.past)
            return (rows, min(Int(first), max(0, rows.rowCount - RowGeometry.rowsVisible)))
        case .face, .sheet(.status, _), .sheet(.fullTitle, _), .sheet(.pairing, _), .sheet(.handler, _): return nil
        }
    }
}

extension Screen {
    var showsTime: Bool {
        switch self {
        case .face: true
        case .list, .sheet(.status, _), .sheet(.fullTitle, _), .sheet(.past, _), .sheet(.pairing, _),
            .sheet(.handler, _):
            false
        }
    }

    var hasTitleBar: Bool {
        switch self {
        case .list, .sheet(.status, _), .sheet(.past, _), .sheet(.pairing, _), .sheet(.handler, _): true
        case .face, .sheet(.fullTitle, _): false
        }
    }

    /// Whether the screen shows the notice, the number of messages that wait for the phone, and the link's state in words.
    var showsStatus: Bool {
        switch self {
        case .sheet(.status, _): true
        case .face, .list, .sheet(.fullTitle, _), .sheet(.past, _), .sheet(.pairing, _), .sheet(.handler, _): false
        }
    }
}

/// The name of a screen in scripts and in `WatchRuntime.description`.
public enum ScreenName: UInt8, Sendable, BitwiseCopyable {
    case face
    case list
    case status
    case fullTitle
    case pairing
    case sheet
    case past

    /// The name as text: "face", "list", "status", "title", "pairing", "sheet" (the handler's) or "past".
    public var text: StaticString {
        switch self {
        case .face: "face"
        case .list: "list"
        case .status: "status"
        case .fullTitle: "title"
        case .pairing: "pairing"
        case .sheet: "sheet"
        case .past: "past"
        }
    }
}

extension Screen {
    var name: ScreenName {
        switch self {
        case .face: .face
        case .list: .list
        case .sheet(.status, _): .status
        case .sheet(.fullTitle, _): .fullTitle
        case .sheet(.pairing, _): .pairing
        case .sheet(.handler, _): .sheet
        case .sheet(.past, _): .past
        }
    }
}
