import WatchLink

/// The screens by name, as descriptions, scripts and tests speak of them: one declaration for the watch, which writes the
/// name, and for the host, which reads it.
public enum ScreenName: UInt8, Sendable, BitwiseCopyable {
    /// The face: time and complication.
    case face
    /// The list.
    case list
    /// The sheet that tells how the link is.
    case status
    /// The sheet that shows a whole title.
    case fullTitle
    /// The sheet that shows the digits of a phone that wants to pair.
    case pairing

    /// The name in a description and in scripts.
    public var text: StaticString {
        switch self {
        case .face: "face"
        case .list: "list"
        case .status: "status"
        case .fullTitle: "title"
        case .pairing: "pairing"
        }
    }

    /// The screen of this name, nil where there is none.
    public init?(_ utf8: Span<UInt8>) {
        // Raw values count from 0 without a gap. (The list of all cases would be an array, for which the device has no heap.)
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
    /// The screen's name.
    var name: ScreenName {
        switch self {
        case .face: .face
        case .list: .list
        case .sheet(.status, _): .status
        case .sheet(.fullTitle, _): .fullTitle
        case .sheet(.pairing, _): .pairing
        }
    }
}
