import WatchLink

/// The wearer's choices. They stay when the watch changes to another phone.
struct WatchSettings: Equatable, Sendable, BitwiseCopyable {
    var face = FaceStyle.modular
    var clock = ClockForm.twentyFourHours
    var theme = Theme.dark

    func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(UInt32(face.rawValue))
        try writer.unsigned(UInt32(clock.rawValue))
        if theme != .dark { try writer.unsigned(UInt32(theme.rawValue)) }
    }

    init() {}

    /// An unknown choice, which a later version may have written, becomes the default.
    init(from reader: inout CBORReader) throws(CBORError) {
        face = FaceStyle(rawValue: try WatchSettings.choice(&reader)) ?? .modular
        clock = ClockForm(rawValue: try WatchSettings.choice(&reader)) ?? .twentyFourHours
        if !reader.isAtEnd { theme = Theme(rawValue: try WatchSettings.choice(&reader)) ?? .dark }
    }

    /// Reads the raw value of a choice. A number above 255 becomes 255, because no choice has the raw value 255.
    private static func choice(_ reader: inout CBORReader) throws(CBORError) -> UInt8 {
        UInt8(truncatingIfNeeded: min(try reader.word(), 255))
    }
}

/// A face of the watch. The wearer swipes from one to the next.
public enum FaceStyle: UInt8, Sendable, BitwiseCopyable {
    /// The date and a circular complication above the time, and a rectangular one below it.
    case modular = 0
    /// The date and a corner complication above the time, and an inline one below it.
    case simple = 1
    /// The hour above the minute, in digits that fill most of the panel. Beside them are a circular complication and the date,
    /// and below them an inline complication.
    case bigDigits = 2

    /// The name in descriptions and scripts: "modular", "simple" or "big-digits".
    public var name: StaticString {
        switch self {
        case .modular: "modular"
        case .simple: "simple"
        case .bigDigits: "big-digits"
        }
    }

    /// Returns the face `step` places after this one, or before it if `step` is negative. The first face follows the last.
    func next(by step: Int) -> FaceStyle {
        EachCase<FaceStyle>.neighbour(of: rawValue, by: step) ?? .modular
    }
}

/// How the face shows the hour.
public enum ClockForm: UInt8, Sendable, BitwiseCopyable {
    /// Hours from 0 to 23.
    case twentyFourHours = 0
    /// Hours from 1 to 12, with AM before noon and PM from noon on.
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

    /// Returns "AM" or "PM" for an hour from 0 to 23; nil for `.twentyFourHours`.
    func half(hour: Int) -> StaticString? {
        switch self {
        case .twentyFourHours: nil
        case .twelveHours: hour < 12 ? "AM" : "PM"
        }
    }
}
