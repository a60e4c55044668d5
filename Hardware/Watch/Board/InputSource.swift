import WatchLink

/// A button at the side of the watch.
public enum Button: UInt8, Sendable, BitwiseCopyable {
    /// The crown, which is also a button.
    case crown = 0
    /// The side button, below the crown.
    case side = 1
}

/// An action of the wearer, or what the radio asks the wearer.
public enum Input: Sendable, BitwiseCopyable, Equatable {
    /// A finger touches a pixel of the picture, within `PanelGeometry`. Other positions are ignored.
    case touch(x: Int16, y: Int16)
    /// The finger has moved, perhaps off the panel's edge. A touch controller reports at most one move for each scan.
    case moved(x: Int16, y: Int16)
    /// The finger was lifted, perhaps off the panel's edge. The input is ignored if no touch came before.
    case lifted(x: Int16, y: Int16)
    /// Positive values move to later rows and later times.
    case crown(detents: Int8)
    case press(Button)
    /// The button is still down about a second after its `press`.
    case hold(Button)
    case pairing(PairingPrompt)
    /// The watch is put on, taken off or raised. A watch without a sensor counts as worn.
    case wrist(WristEvent)
    /// The wearer has chosen 12 or 24 hours in the board's settings.
    case clock(ClockForm)
}

/// Whether the watch is on the wrist.
public enum WristState: UInt8, Sendable, BitwiseCopyable {
    case worn = 0
    /// The watch shows the time, and nothing private.
    case removed = 1
}

/// A change that the wrist sensor reports.
public enum WristEvent: UInt8, Sendable, BitwiseCopyable {
    case removed = 0
    case worn = 1
    case raised = 2
}

/// An event of pairing by numeric comparison (Bluetooth Core Specification 5.4, volume 3, part H, section 2.3.5.6.2).
public enum PairingPrompt: Sendable, BitwiseCopyable, Equatable {
    /// Six digits, 0 to 999,999. Larger numbers are ignored.
    case compare(digits: UInt32)
    /// The pairing has ended, with or without success.
    case over
    /// Phones may pair until `closed`.
    case open
    case closed
}

/// The wearer's answer to `PairingPrompt.compare`, or permission to pair.
public enum PairingAnswer: UInt8, Sendable, BitwiseCopyable {
    /// The digits are different, or the wearer does not want to pair.
    case different = 0
    case same = 1
    /// Phones may pair now. The radio's driver limits the time.
    case open = 2
}

/// An input and its time.
public struct TimedInput: Sendable, BitwiseCopyable, Equatable {
    /// The input.
    public var input: Input
    /// When the interrupt fired.
    public var time: Instant

    /// Makes an input whose interrupt fired at `time`.
    public init(_ input: Input, at time: Instant) {
        self.input = input
        self.time = time
    }
}

/// The touch controller, the crown and the buttons.
public protocol InputSource: ~Copyable {
    /// Removes and returns the oldest input. The run loop calls this first in every step. No input is lost while fewer than 32
    /// wait.
    mutating func nextInput() -> TimedInput?

    /// The longest time from a touch to its interrupt: one scan of the touch controller at rest; 0 if touches are reported at
    /// once. If the rows change within this time before the interrupt, the wearer meant the rows before the change.
    var touchScanInterval: Microseconds { get }

    /// The state when the watch starts. Later changes are inputs.
    var wrist: WristState { get }

    /// Without a crown, a dragging finger scrolls.
    static var hasCrown: Bool { get }
}

extension InputSource where Self: ~Copyable {
    /// Worn, because the board has no sensor.
    public var wrist: WristState { .worn }

    /// True: most boards have a crown.
    public static var hasCrown: Bool { true }
}
