/// A serial line of the board.
enum BoardLine: CaseIterable, Sendable {
    /// Text for people.
    case console
    /// Datagrams of the link, as serial frames.
    case radio
    /// Lines of pixels.
    case panel
    /// Commands and reports of the bench.
    case bench
}

/// Everything that a board has said on its lines since it was switched on.
struct LineLog: Equatable, Sendable {
    /// Text of the firmware, and of the emulator.
    var console: [UInt8] = []
    /// Bytes of the radio line.
    var radio: [UInt8] = []
    /// Bytes of the panel line.
    var panel: [UInt8] = []
    /// Bytes of the bench line.
    var bench: [UInt8] = []
}
