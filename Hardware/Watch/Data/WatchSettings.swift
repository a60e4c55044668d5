import WatchLink

/// The wearer's choices on the watch. They stay in flash when the watch changes phones.
struct WatchSettings: Equatable, Sendable, BitwiseCopyable {
    var face = FaceStyle.modular
    var clock = ClockForm.twentyFourHours
    var theme = Theme.dark

    /// Writes the record: face, clock, and the theme unless it is dark.
    func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(UInt32(face.rawValue))
        try writer.unsigned(UInt32(clock.rawValue))
        if theme != .dark { try writer.unsigned(UInt32(theme.rawValue)) }
    }

    init() {}

    /// Reads the record. A choice that only a later version knows becomes the default of a new watch.
    init(from reader: inout CBORReader) throws(CBORError) {
        face = FaceStyle(rawValue: try WatchSettings.choice(&reader)) ?? .modular
        clock = ClockForm(rawValue: try WatchSettings.choice(&reader)) ?? .twentyFourHours
        if !reader.isAtEnd { theme = Theme(rawValue: try WatchSettings.choice(&reader)) ?? .dark }
    }

    /// A number above 255 is no choice.
    private static func choice(_ reader: inout CBORReader) throws(CBORError) -> UInt8 {
        UInt8(truncatingIfNeeded: min(try reader.word(), 255))
    }
}

/// A face of the watch. The wearer changes to the next one with a swipe.
public enum FaceStyle: UInt8, Sendable, BitwiseCopyable {
    /// Date and circular complication above the time, the rectangular one below it.
    case modular = 0
    /// Date and corner complication above the time, an inline one below it.
    case simple = 1
    /// The hour above the minute over most of the panel, beside the circular complication and the date; an inline one
    /// below.
    case bigDigits = 2

    /// Its name in descriptions and scripts: "modular", "simple" or "big-digits".
    public var name: StaticString {
        switch self {
        case .modular: "modular"
        case .simple: "simple"
        case .bigDigits: "big-digits"
        }
    }

    /// Continues with the first face after the last.
    func next(by step: Int) -> FaceStyle {
        EachCase<FaceStyle>.neighbour(of: rawValue, by: step) ?? .modular
    }
}

/// How the face counts the hours.
public enum ClockForm: UInt8, Sendable, BitwiseCopyable {
    /// 0 to 23.
    case twentyFourHours = 0
    /// 12, 1 to 11, before noon (AM) and after it (PM).
    case twelveHours = 1

    func shown(hour: Int) -> Int {
        switch self {
        case .twentyFourHours: hour
        case .twelveHours: hour % 12 == 0 ? 12 : hour % 12
        }
    }

    var hourDigits: Int {
        switch self {
        case .twentyFourHours: 2
        case .twelveHours: 1
        }
    }

    /// Nil in the 24-hour form.
    func half(hour: Int) -> StaticString? {
        switch self {
        case .twentyFourHours: nil
        case .twelveHours: hour < 12 ? "AM" : "PM"
        }
    }
}
