import WatchLink

/// The screen with its state. The picture depends on this state and on the data.
enum Screen: Sendable, BitwiseCopyable, Equatable {
    case face(FaceState)
    case list(ListState)
    /// When the sheet closes, the screen under it returns unchanged.
    case sheet(Sheet, returningTo: Underlying)

    /// The screen under a sheet. An indirect case of `Screen` would need a heap.
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
    /// Time travel, which ends at `until`. `steps` counts entries of the time line from now; negative values are in the past.
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
    /// The past items, which the wearer can add again. `first` is the index of the first visible one.
    case past(first: UInt8)
    case pairing(digits: UInt32, since: Instant)
    case handler
}

extension Screen {
    /// Whether a touch can be on a row.
    var hasRows: Bool {
        switch self {
        case .list, .sheet(.past, _): true
        case .face, .sheet(.status, _), .sheet(.fullTitle, _), .sheet(.pairing, _), .sheet(.handler, _): false
        }
    }

    /// The rows of the screen, and the index of the first visible one; nil if the screen has none. The index is lowered if past
    /// items have gone since the sheet was scrolled.
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

    /// Whether the picture shows the link, the waiting messages and the notice in more detail than the list's title bar.
    var showsStatus: Bool {
        switch self {
        case .sheet(.status, _): true
        case .face, .list, .sheet(.fullTitle, _), .sheet(.past, _), .sheet(.pairing, _), .sheet(.handler, _): false
        }
    }
}

/// The name of a screen, for descriptions and scripts.
public enum ScreenName: UInt8, Sendable, BitwiseCopyable {
    case face
    case list
    case status
    case fullTitle
    case pairing
    case sheet
    case past

    /// "face", "list", "status", "title", "pairing", "sheet" or "past".
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
