import WatchLink

/// A button of the watch.
public enum Button: UInt8, Sendable, BitwiseCopyable {
    /// The crown, which is also a button.
    case crown = 0
    /// The side button, below the crown.
    case side = 1
}

/// An action of the wearer, or an event of a pairing from the radio's driver.
public enum Input: Sendable, BitwiseCopyable, Equatable {
    /// A finger has come down on a pixel of the picture. The runtime ignores positions outside `PanelGeometry`.
    case touch(x: Int16, y: Int16)
    /// The finger has moved, perhaps off the panel's edge. A touch controller reports at most one move for each scan.
    case moved(x: Int16, y: Int16)
    /// The finger was lifted, perhaps off the panel's edge. The runtime ignores a lift without an earlier `touch`.
    case lifted(x: Int16, y: Int16)
    /// The wearer has turned the crown by this number of detents. Positive values move to later rows and later times.
    case crown(detents: Int8)
    case press(Button)
    /// The button is still down about a second after its `press`.
    case hold(Button)
    case pairing(PairingPrompt)
    /// The watch is put on, taken off or raised. A watch without a sensor counts as worn.
    case wrist(WristEvent)
    /// The wearer has chosen the 12-hour or the 24-hour clock in the board's settings.
    case clock(ClockForm)
}

/// Where the watch is: on the wrist or off it.
public enum WristState: UInt8, Sendable, BitwiseCopyable {
    case worn = 0
    /// The watch is off the wrist. It shows the time, and nothing private.
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
    /// The watch shows these six digits, 0 to 999,999, and the wearer compares them with the phone's. The runtime ignores
    /// larger numbers.
    case compare(digits: UInt32)
    /// The pairing has ended, with or without success.
    case over
    /// From now on, phones may pair, until the event `closed`.
    case open
    case closed
}

/// The wearer's answer to `PairingPrompt.compare`, or permission to pair.
public enum PairingAnswer: UInt8, Sendable, BitwiseCopyable {
    /// The digits are different, or the wearer does not want to pair.
    case different = 0
    case same = 1
    /// The wearer lets phones pair from now on. The radio's driver decides for how long.
    case open = 2
}

/// An input and its time.
public struct TimedInput: Sendable, BitwiseCopyable, Equatable {
    /// The input.
    public var input: Input
    /// When the input's interrupt fired. An input without an interrupt has the time at which the board noticed it.
    public var time: Instant

    /// Makes an input whose interrupt fired at `time`.
    public init(_ input: Input, at time: Instant) {
        self.input = input
        self.time = time
    }
}

/// The source of all inputs: the touch controller, the crown, the buttons and the wrist sensor. The radio's driver adds the
/// inputs of a pairing.
public protocol InputSource: ~Copyable {
    /// Removes and returns the oldest input; nil if none waits. The run loop calls this first in every step. A board has room
    /// for at least 32 waiting inputs. The board may drop an input that finds no room.
    mutating func nextInput() -> TimedInput?

    /// The touch controller's scan interval when the last touch came; 0 if the controller reports a touch at once. A controller
    /// may scan less often if no finger has touched the panel for a while.
    ///
    /// The interrupt of a touch fires up to one scan interval after the touch. If the rows changed less than one scan interval
    /// before the interrupt, the runtime assumes that the wearer meant the rows before the change.
    var touchScanInterval: Microseconds { get }

    /// Where the watch is when it starts: on the wrist or off it. Later changes arrive as `Input.wrist`.
    var wrist: WristState { get }

    /// Whether the watch has a crown. Without a crown, a drag on the face does what a turn of the crown would do.
    static var hasCrown: Bool { get }
}

extension InputSource where Self: ~Copyable {
    /// Worn, because the board has no sensor.
    public var wrist: WristState { .worn }

    /// True: most boards have a crown.
    public static var hasCrown: Bool { true }
}
