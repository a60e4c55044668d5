import WatchLink

/// The hardware of a watch: panel, input, haptic driver, flash chip, radio and clock. It also receives trace events.
///
/// The runtime is generic over its board, so that the compiler makes each call of the board a direct one. The run loop calls
/// the board from one thread.
public protocol Board: Panel, InputSource, HapticDriver, NORFlash, Radio, BoardClock, TraceSink, ~Copyable {
    /// Waits until there is an input, a datagram, the end of a flash operation or a change of the radio's state, or until
    /// `deadline`. Returns at once if there already is one, and may return early.
    ///
    /// The run loop calls this after `WatchRuntime.step` returned `.idle`.
    ///
    /// - Parameter deadline: the latest time to return; nil waits only for an event.
    mutating func idle(until deadline: Instant?)
}

/// A monotonic clock that begins at the start of the board, and a wall clock that may not be set.
public protocol BoardClock: ~Copyable {
    /// The time since the board started. It never goes back.
    var now: Instant { mutating get }

    /// The local time at `instant`; nil if the wall clock is not set. If `instant` is before the setting, this is the time that
    /// was set.
    mutating func calendar(at instant: Instant) -> LocalTime?

    /// Sets the wall clock to the present local time. The time comes from the phone, when it connects.
    mutating func setCalendar(_ time: LocalTime)
}

extension BoardClock where Self: ~Copyable {
    /// The local time now; nil if the wall clock is not set.
    public var calendar: LocalTime? {
        mutating get { calendar(at: now) }
    }
}

/// A vibration pattern.
public enum HapticPattern: UInt8, Sendable, BitwiseCopyable {
    /// A short click: an item was checked off.
    case click = 0
    /// Two pulses: the last item was checked off.
    case success = 1
    /// One long pulse: a request has failed.
    case failure = 2
}

/// Plays haptic patterns. Starting one takes a write to a bus; then it plays by itself.
public protocol HapticDriver: ~Copyable {
    /// Starts a pattern in place of one that still plays. Returns at once.
    mutating func play(_ pattern: HapticPattern)

    /// Whether the battery has too little charge for a haptic, so that `play` does nothing. The face then shows a low battery.
    var isBatteryLow: Bool { mutating get }
}

extension HapticDriver where Self: ~Copyable {
    /// False: a board that cannot measure its battery plays every pattern.
    public var isBatteryLow: Bool { false }
}

/// The display: one bit a pixel, of the Sharp memory-LCD class, whose smallest write is one line, or a colour panel whose driver
/// gives the two values colours. `PanelGeometry` has its dimensions.
///
/// The runtime sends lines in runs: it calls `beginLines`, `writeLine` for each line, and `finishLines`. With a DMA engine,
/// `writeLine` returns while the line is still being sent, so that the processor can prepare the next one.
public protocol Panel: ~Copyable {
    /// Whether the wearer can choose a theme.
    static var hasColours: Bool { get }

    /// Sets the colours of the lines that follow. The runtime calls it before each run.
    ///
    /// - Parameter titleLines: the lines at the top that are a title bar.
    mutating func setColours(_ theme: Theme, titleLines: Int)

    mutating func beginLines()

    /// Sends a line. It may reach the panel after this call, but lines keep their order.
    ///
    /// - Parameters:
    ///   - line: counted from 0 at the top.
    ///   - pixels: valid during the call. The leftmost pixel is in the highest bit of the first byte; 1 is lit (white).
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>)

    /// Ends a run of lines. Returns when the last line is on the panel.
    mutating func finishLines()
}

/// A panel that shows each line before `writeLine` returns need not implement these calls.
extension Panel where Self: ~Copyable {
    /// False: one bit has black and white.
    public static var hasColours: Bool { false }

    /// Does nothing.
    @inline(__always)
    public mutating func setColours(_ theme: Theme, titleLines: Int) {}

    /// Does nothing.
    public mutating func beginLines() {}

    /// Does nothing.
    public mutating func finishLines() {}
}

/// The dimensions of the picture: those of the memory LCD, or with the compiler's condition `COLOUR_PANEL` those for a colour panel
/// of 240 x 240. All else about a layout follows from them.
///
/// That panel has 260 pixels to the inch, and the memory LCD 176. So its driver makes three of its pixels out of two of the picture:
/// text and rows have the same size for the eye and the finger on both.
public enum PanelGeometry {
    #if COLOUR_PANEL
    /// Pixels in a line.
    public static var width: Int { 160 }
    /// Lines from top to bottom.
    public static var height: Int { 160 }
    #else
    /// Pixels in a line.
    public static var width: Int { 144 }
    /// The number of lines.
    public static var height: Int { 168 }
    #endif
    /// Bytes in a line, eight pixels each.
    public static var bytesPerLine: Int { width / 8 }
    /// Bytes in a picture: all lines.
    public static var bytesPerFrame: Int { bytesPerLine * height }
    /// Lines that are always sent together, a power of two: the driver of a colour panel mixes two into three.
    static var linesTogether: Int {
        #if COLOUR_PANEL
        2
        #else
        1
        #endif
    }
}

/// Whether the radio has a connection to a phone.
public enum RadioState: Sendable, Equatable, BitwiseCopyable {
    /// No phone is connected. The radio's driver keeps advertising or connecting.
    case down
    /// A phone is connected.
    ///
    /// - connection: a number that grows with every connection, so that the runtime notices a quick reconnection.
    /// - maximumSDU: the most bytes of a datagram. It is at least 128, the longest control frame.
    case up(connection: UInt32, maximumSDU: Int)
}

/// What happened to a datagram that the runtime sent.
public enum RadioOutcome: Sendable, Equatable, BitwiseCopyable {
    /// The radio will send the datagram.
    case sent
    /// The radio has no room now. The runtime sends the datagram again after the next event.
    case busy
    /// The connection is closed, or the datagram is too long for it. The runtime then closes the connection.
    case refused
}

/// A connection to the phone that carries datagrams. They arrive whole and in order.
public protocol Radio: ~Copyable {
    var radioState: RadioState { mutating get }

    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome

    /// Copies the next datagram into `buffer` and returns its length; nil if none has arrived. If the datagram is longer than
    /// the buffer, its end is dropped, and its full length is returned.
    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int?

    /// Answers the last `Input.pairing`, or lets phones pair.
    mutating func answerPairing(_ answer: PairingAnswer)

    /// Closes the connection. The driver then advertises or connects again.
    mutating func disconnectRadio()
}

/// Work of a handler besides the stages of a tap: for its messages, buttons and files.
///
/// The runtime tells the board when such work begins and ends. A device ignores that; the lab measures the work.
public struct MessageWork: Sendable, BitwiseCopyable {
    /// The kinds of work. A trace has the raw values.
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        // `TapHandler.take` is called, for each of these events of `HandlerMessage.Event`.
        case value = 0
        case cleared = 1
        case queued = 2
        case passed = 3
        case asked = 4
        case answered = 5
        case refused = 6
        case late = 7
        case outOfReach = 8
        case file = 9
        /// `TapHandler.press` is called.
        case button = 10
        /// The runtime adds 256 bytes of a file to its SHA-256 digest, or compares the complete digest.
        case fileCheck = 11
    }

    /// The kind of work.
    public let kind: Kind
    /// The name of the message; empty for buttons and files.
    public let name: StaticString
    /// The number of the button, from 0 on the left; 0 for other work.
    public let button: UInt8

    init(_ kind: Kind, name: StaticString = "", button: UInt8 = 0) {
        (self.kind, self.name, self.button) = (kind, name, button)
    }
}
