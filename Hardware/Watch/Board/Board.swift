import WatchLink

/// A watch's hardware. The runtime is generic over its board, so that the compiler turns each call into a direct one. The run
/// loop calls the board from one thread.
public protocol Board: Panel, InputSource, HapticDriver, NORFlash, Radio, BoardClock, TraceSink, ~Copyable {
    /// Waits for an input, a datagram, the end of an erase, a change of the radio's state, or `deadline`, whichever comes
    /// first. Nil means no deadline. Returns at once if one of these has already happened, and may return early. The run loop
    /// calls this when `WatchRuntime.step` has returned `.idle`.
    mutating func idle(until deadline: Instant?)
}

/// A monotonic clock that starts with the board, and a wall clock, which can be unset.
public protocol BoardClock: ~Copyable {
    /// The time since the board started. It never goes back.
    var now: Instant { mutating get }

    /// The local time at `instant`; nil if the wall clock is not set. If the wall clock was set after `instant`, returns the
    /// time to which the wall clock was set.
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
    /// A short click. The watch has done what the wearer asked. The watch also clicks when it asks the wearer to compare the
    /// digits of a pairing.
    case click = 0
    /// Two pulses. The last open item of the list was checked off.
    case success = 1
    /// One long pulse. The watch could not do what the wearer asked.
    case failure = 2
}

/// The driver of the vibration motor.
public protocol HapticDriver: ~Copyable {
    /// Starts a pattern, in place of any pattern that is still playing. Does not wait for the pattern's end.
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
    /// Whether the panel has colours. If it does, the wearer can choose a theme.
    static var hasColours: Bool { get }

    /// Sets the colours of the lines that follow. The runtime calls this before each `beginLines`. The top `titleLines` lines
    /// are a title bar: there, a pixel whose bit is 1 has the colour `Theme.accent`. Without a title bar, `titleLines` is 0.
    mutating func setColours(_ theme: Theme, titleLines: Int)

    mutating func beginLines()

    /// Sends a line, counted from 0 at the top. The panel may receive the line after this call has returned, but receives all
    /// lines in order. `pixels` is valid during the call. The leftmost pixel is in the highest bit of the first byte; 1 is lit
    /// (white).
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

/// The dimensions of the picture that the runtime draws. The picture is for the memory LCD or, with the compilation condition
/// `COLOUR_PANEL`, for a colour panel of 240 x 240 pixels.
///
/// The colour panel's driver makes the picture 1.5 times as wide and 1.5 times as high. The memory LCD has 176 pixels to the
/// inch and the colour panel 260, so text and rows have nearly the same size on both.
public enum PanelGeometry {
    #if COLOUR_PANEL
    /// Pixels in a line.
    public static var width: Int { 160 }
    /// The number of lines.
    public static var height: Int { 160 }
    #else
    /// Pixels in a line.
    public static var width: Int { 144 }
    /// The number of lines.
    public static var height: Int { 168 }
    #endif
    /// Bytes in a line. Each byte has eight pixels.
    public static var bytesPerLine: Int { width / 8 }
    /// Bytes in the whole picture.
    public static var bytesPerFrame: Int { bytesPerLine * height }
    /// The number of adjacent picture lines that the framebuffer always sends together. The number is a power of two. A colour
    /// panel's driver makes three panel lines from two picture lines.
    static var linesTogether: Int {
        #if COLOUR_PANEL
        2
        #else
        1
        #endif
    }
}

/// The state of the radio connection to a phone.
public enum RadioState: Sendable, Equatable, BitwiseCopyable {
    /// No phone is connected. The radio's driver advertises, or keeps trying to connect.
    case down
    /// A phone is connected. Each connection has a higher number than the previous one, so that the runtime notices a quick
    /// reconnection. A datagram has at most `maximumSDU` bytes. `maximumSDU` is at least 128, the length of the longest control
    /// frame.
    case up(connection: UInt32, maximumSDU: Int)
}

/// What the radio has done with a datagram from the runtime.
public enum RadioOutcome: Sendable, Equatable, BitwiseCopyable {
    case sent
    /// The radio has no room for the datagram now. The runtime tries again after the next event, at the latest after 100 ms.
    case busy
    /// The connection is closed, or the datagram is too long for it.
    case refused
}

/// The watch's radio, which is connected to at most one phone at a time. Until a connection ends, datagrams arrive whole, in
/// order and without loss.
public protocol Radio: ~Copyable {
    var radioState: RadioState { mutating get }

    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome

    /// Moves the next datagram into `buffer`, and returns its full length; nil if none has arrived. If the datagram is longer
    /// than `buffer`, the rest is lost.
    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int?

    /// Takes the wearer's answer to the last `PairingPrompt.compare`, or the wearer's permission for phones to pair.
    mutating func answerPairing(_ answer: PairingAnswer)

    /// Ends the connection. Afterwards, the driver advertises again, or tries to connect.
    mutating func disconnectRadio()
}

/// Work that belongs to no tap on a row: a call of `TapHandler.take` or `TapHandler.press`, or the check of an arriving file.
/// `TraceSink` receives the beginning and the end of the work.
public struct MessageWork: Sendable, BitwiseCopyable {
    /// A kind of work. Traces contain the raw value.
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        // In these cases, `TapHandler.take` runs for the `HandlerMessage.Event` with the case's name. `answered`, `refused`,
        // `late` and `outOfReach` are the outcomes of the event `over`.
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
        /// The runtime adds the next bytes of an arriving file, at most 256, to the file's SHA-256 digest, or compares the
        /// finished digest.
        case fileCheck = 11
    }

    /// The kind of work.
    public let kind: Kind
    /// The name of the message; empty for a button or a file.
    public let name: StaticString
    /// The index of the button, from 0 on the left; 0 for other work.
    public let button: UInt8

    init(_ kind: Kind, name: StaticString = "", button: UInt8 = 0) {
        (self.kind, self.name, self.button) = (kind, name, button)
    }
}
