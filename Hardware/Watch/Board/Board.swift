import WatchLink

/// The hardware of a watch: panel, input, haptic driver, flash chip, radio, clock, and a sink for trace events.
///
/// The runtime is generic over its board, so that every call on the device is a direct one. The run loop calls the
/// board from one thread, never concurrently.
public protocol Board: Panel, InputSource, HapticDriver, NORFlash, Radio, BoardClock, TraceSink, ~Copyable {
    /// Waits for an input, a datagram, the end of a flash operation or a change of the radio's state, or until
    /// `deadline`. The run loop calls it after `WatchRuntime.step` returned `.idle`. It may return early, and returns
    /// at once if such an event is pending.
    ///
    /// - Parameter deadline: the latest time to return; nil waits for an event alone.
    mutating func idle(until deadline: Instant?)
}

/// A monotonic clock that counts from the start, and a wall clock that may not be set yet.
public protocol BoardClock: ~Copyable {
    /// The time since the board started. It never goes back.
    var now: Instant { mutating get }

    /// The local time at `instant`, nil while the wall clock is not set. If `instant` is before the setting, the time that was
    /// set.
    mutating func calendar(at instant: Instant) -> LocalTime?

    /// Sets the wall clock to the present local time, which the phone's hello brings.
    mutating func setCalendar(_ time: LocalTime)
}

extension BoardClock where Self: ~Copyable {
    /// The local time now, nil while the wall clock is not set.
    public var calendar: LocalTime? {
        mutating get { calendar(at: now) }
    }
}

/// A vibration pattern.
public enum HapticPattern: UInt8, Sendable, BitwiseCopyable {
    /// A short click: an item was checked off.
    case click = 0
    /// Two pulses: the list is done.
    case success = 1
    /// One long pulse: the request failed.
    case failure = 2
}

/// A pattern takes a bus write to start and then plays by itself.
public protocol HapticDriver: ~Copyable {
    /// Starts `pattern` and returns at once. It replaces a pattern that still plays.
    mutating func play(_ pattern: HapticPattern)

    /// Whether the battery has too little charge for a pattern, so that `play` does nothing. The face then shows a low battery.
    var isBatteryLow: Bool { mutating get }
}

extension HapticDriver where Self: ~Copyable {
    /// False: a board without a gauge plays every pattern.
    public var isBatteryLow: Bool { false }
}

/// The display: one bit a pixel, of the Sharp memory-LCD class, whose smallest write is one line, or a colour panel whose driver
/// gives the two values colours. `PanelGeometry` has its dimensions.
///
/// The runtime sends lines in runs: `beginLines`, `writeLine` for each, `finishLines`. With a DMA engine, `writeLine`
/// returns while the line is still being sent, so that the processor can prepare the next one; `finishLines` waits.
public protocol Panel: ~Copyable {
    /// Whether the wearer can choose a theme.
    static var hasColours: Bool { get }

    /// Sets the colours of the lines that follow. The runtime calls it before each run.
    ///
    /// - Parameter titleLines: the lines at the top that are a title bar.
    mutating func setColours(_ theme: Theme, titleLines: Int)

    mutating func beginLines()

    /// Sends a line. It may reach the panel after this returns, in the order of the calls.
    ///
    /// - Parameters:
    ///   - line: counted from 0 at the top.
    ///   - pixels: valid during the call. The leftmost pixel is in the highest bit of the first byte; 1 is lit (white).
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>)

    /// Ends a run: returns when its last line is on the panel.
    mutating func finishLines()
}

/// A panel that shows each line before `writeLine` returns needs no calls around a run.
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
    /// Lines from top to bottom.
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

/// Whether the radio has a channel to the phone.
public enum RadioState: Sendable, Equatable, BitwiseCopyable {
    /// No phone is connected. The driver keeps advertising or connecting.
    case down
    /// A channel is open.
    ///
    /// - connection: counts up with every new channel, so that the runtime notices a quick reconnection.
    /// - maximumSDU: the largest datagram in bytes, at least 128, the longest control frame.
    case up(connection: UInt32, maximumSDU: Int)
}

/// The outcome of sending a datagram.
public enum RadioOutcome: Sendable, Equatable, BitwiseCopyable {
    /// The radio has the datagram.
    case sent
    /// The radio has no room now. The runtime sends the datagram again after the next event.
    case busy
    /// The channel is closed, or the datagram is longer than its maximum. The runtime then closes the channel.
    case refused
}

/// A channel of datagrams to the phone, which arrive whole and in order while it is up.
public protocol Radio: ~Copyable {
    var radioState: RadioState { mutating get }

    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome

    /// Copies the next arrived datagram into `buffer` and returns its length, nil for none. If it is longer than the
    /// buffer, the rest is dropped and the full length returned.
    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int?

    /// Answers the last `Input.pairing`, or opens the pairing mode.
    mutating func answerPairing(_ answer: PairingAnswer)

    /// Closes the channel. The driver then advertises or connects again.
    mutating func disconnectRadio()
}

/// Work for messages, buttons and files of the handler, beside the stages of taps.
///
/// A device ignores it. A lab that measures what a handler executes is told when it begins and ends.
public struct MessageWork: Sendable, BitwiseCopyable {
    /// The raw values are arguments of `HostCall.messageWork`.
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        // `TapHandler.take`, by what has happened; `HandlerMessage.Event` says what each means.
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
        /// `TapHandler.press`.
        case button = 10
        /// The runtime hashes 256 bytes of a file with SHA-256, or compares the complete hash.
        case fileCheck = 11
    }

    /// The kind of work.
    public let kind: Kind
    /// The name of the message; empty for buttons and files.
    public let name: StaticString
    /// Counted from 0 on the left; 0 for anything else.
    public let button: UInt8

    init(_ kind: Kind, name: StaticString = "", button: UInt8 = 0) {
        (self.kind, self.name, self.button) = (kind, name, button)
    }
}
