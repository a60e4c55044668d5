import WatchLink

/// What the wearer has chosen on the watch, which keeps it in flash, whichever phone it belongs to.
struct WatchSettings: Equatable, Sendable, BitwiseCopyable {
    var face = FaceStyle.modular
    var clock = ClockForm.twentyFourHours

    /// Writes the record: face, clock.
    func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(UInt32(face.rawValue))
        try writer.unsigned(UInt32(clock.rawValue))
    }

    init() {}

    /// Reads the record. A choice that only a later version has is left at what a new watch shows.
    init(from reader: inout CBORReader) throws(CBORError) {
        face = FaceStyle(rawValue: try WatchSettings.choice(&reader)) ?? .modular
        clock = ClockForm(rawValue: try WatchSettings.choice(&reader)) ?? .twentyFourHours
    }

    /// A number that is above 255 is no choice.
    private static func choice(_ reader: inout CBORReader) throws(CBORError) -> UInt8 {
        UInt8(truncatingIfNeeded: min(try reader.word(), 255))
    }
}
