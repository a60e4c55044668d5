import WatchLink

/// The name of a screen in descriptions and scripts.
public enum ScreenName: UInt8, Sendable, BitwiseCopyable {
    /// The face: time and complication.
    case face
    /// The list.
    case list
    /// The sheet with the state of the link.
    case status
    /// The sheet with the full title of an item.
    case fullTitle
    /// The sheet with the digits of a phone that wants to pair.
    case pairing
    /// The handler's own sheet.
    case sheet
    /// The sheet with past items.
    case past

    /// The name as text: "face", "list", "status", "title", "pairing", "sheet" or "past".
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

    /// The screen with this name, nil where there is none.
    package init?(_ utf8: Span<UInt8>) {
        // Raw values count from 0 without gaps. An array of all cases would need a heap, which the device does not
        // have.
        var number: UInt8 = 0
        while let name = ScreenName(rawValue: number) {
            if utf8.matches(name.text) {
                self = name
                return
            }
            number += 1
        }
        return nil
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
