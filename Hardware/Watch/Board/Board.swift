import WatchLink

/// A watch's hardware. The runtime is generic over its board, so that the compiler turns each call into a direct one. The run
/// loop calls the board from one thread.
public protocol Board: Panel, InputSource, HapticDriver, NORFlash, Radio, BoardClock, TraceSink, ~Copyable {
    /// Waits for an event, at most until `deadline`: an input, a datagram, the end of a flash operation, or a change of the
    /// radio's state. Returns at once if an event is already there, and may return early. The run loop calls this after
    /// `WatchRuntime.step` returned `.idle`.
    mutating func idle(until deadline: Instant?)
}

/// A monotonic clock that starts with the board, and a wall clock, which can be unset.
public protocol BoardClock: ~Copyable {
    /// The time since the board started. It never goes back.
    var now: Instant { mutating get }

    /// The local time at `instant`; nil if the clock is not set. If `instant` is before the clock was set, returns the time to
    /// which it was set.
    mutating func calendar(at instant: Instant) -> LocalTime?

    /// Sets the wall clock to the local time that the phone sends when it connects.
    mutating func setCalendar(_ time: LocalTime)
}

extension BoardClock where Self: ~Copyable {
    /// The present local time. Nil if the wall clock is not set.
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

/// Plays haptic patterns. Only the start of a pattern takes processor time.
public protocol HapticDriver: ~Copyable {
    /// Plays a pattern, and ends one that is still playing. Returns at once.
    mutating func play(_ pattern: HapticPattern)

    /// Whether the battery is too low for a pattern. `play` then does nothing, and the face shows a low battery.
    var isBatteryLow: Bool { mutating get }
}

extension HapticDriver where Self: ~Copyable {
    /// False: a board that cannot measure its battery plays every haptic pattern.
    public var isBatteryLow: Bool { false }
}

/// The display: a memory LCD with one bit for each pixel, or a colour panel whose driver turns the two pixel values into
/// colours.
///
/// With a DMA engine, `writeLine` returns while the line is still being sent, and the processor prepares the next one.
public protocol Panel: ~Copyable {
    /// Whether the wearer can choose a theme.
    static var hasColours: Bool { get }

    /// Sets the colours of the lines that follow. The runtime calls this before each `beginLines`. `titleLines` lines at the top are a
    /// title bar.
    mutating func setColours(_ theme: Theme, titleLines: Int)

    mutating func beginLines()

    /// Sends a line, counted from 0 at the top. It may reach the panel after this call, but lines keep their order. `pixels` is
    /// valid during the call. The leftmost pixel is in the highest bit of the first byte; 1 is lit (white).
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>)

    /// Returns when the last line is on the panel.
    mutating func finishLines()
}

/// Defaults for a black-and-white panel that shows each line before `writeLine` returns.
extension Panel where Self: ~Copyable {
    /// False: the panel shows black and white.
    public static var hasColours: Bool { false }

    /// Does nothing.
    @inline(__always)
    public mutating func setColours(_ theme: Theme, titleLines: Int) {}

    /// Does nothing.
    public mutating func beginLines() {}

    /// Does nothing.
    public mutating func finishLines() {}
}

/// The dimensions of the picture, for the memory LCD or, with the compilation condition `COLOUR_PANEL`, for a colour panel of
/// 240 x 240 pixels.
///
/// The colour panel has 260 pixels to the inch, and the memory LCD 176. The colour panel's driver makes three panel
/// pixels of two picture pixels, so text and rows have nearly the same size on both.
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
    /// How many lines of the picture the driver draws together, a power of two. A colour panel's driver turns two picture lines
    /// into three panel lines.
    static var linesTogether: Int {
        #if COLOUR_PANEL
        2
        #else
        1
        #endif
    }
}

/// Whether a phone is connected by radio.
public enum RadioState: Sendable, Equatable, BitwiseCopyable {
    /// No phone is connected. The radio's driver keeps advertising or connecting.
    case down
    /// A phone is connected. `connection` is higher than for the connection before, so that the runtime notices a quick
    /// reconnection. A datagram has at most `maximumSDU` bytes: 128, the length of the longest control frame, or more.
    case up(connection: UInt32, maximumSDU: Int)
}

/// What happened to a datagram that the runtime sent.
public enum RadioOutcome: Sendable, Equatable, BitwiseCopyable {
    case sent
    /// The radio has no room for the datagram yet. The runtime tries again after the next event.
    case busy
    /// The connection is closed, or the datagram is too long for it.
    case refused
}

/// A connection to the phone. Datagrams arrive whole and in order.
public protocol Radio: ~Copyable {
    var radioState: RadioState { mutating get }

    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome

    /// Returns the length of the next datagram; nil if none has arrived. The end of a datagram that is longer than the buffer
    /// is lost.
    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int?

    /// Sends the answer to the last `Input.pairing`, or permits phones to pair.
    mutating func answerPairing(_ answer: PairingAnswer)

    /// Ends the connection. The driver then advertises or connects again.
    mutating func disconnectRadio()
}

/// Work of a tap handler outside a tap. The lab measures it; a real board ignores it.
public struct MessageWork: Sendable, BitwiseCopyable {
    /// The kinds of work. Traces contain the raw values.
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        // The runtime calls `TapHandler.take` for one of these events of `HandlerMessage.Event`.
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
        /// `TapHandler.press` runs.
        case button = 10
        /// The runtime adds 256 bytes of a file to its SHA-256 digest, or compares the finished digest.
        case fileCheck = 11
    }

    /// The kind of work.
    public let kind: Kind
    /// The name of the message; empty for buttons and files.
    public let name: StaticString
    /// The index of the button, from 0 on the left; 0 for other work.
    public let button: UInt8

    init(_ kind: Kind, name: StaticString = "", button: UInt8 = 0) {
        (self.kind, self.name, self.button) = (kind, name, button)
    }
}
