import WatchLink

/// A button on the watch's side.
public enum Button: UInt8, Sendable, BitwiseCopyable {
    /// The crown, pressed.
    case crown = 0
    /// The side button below it.
    case side = 1
}

/// An input of the wearer, or a question of the radio to the wearer.
public enum Input: Sendable, BitwiseCopyable, Equatable {
    /// A finger came down at a pixel of the panel: x 0 to 143, y 0 to 167. Others are ignored.
    case touch(x: Int16, y: Int16)
    /// The finger is at another pixel, or beside the panel. A touch controller reports this at most once a scan.
    case moved(x: Int16, y: Int16)
    /// The finger has left the panel, at this pixel or beside it. Ignored without a touch before it.
    case lifted(x: Int16, y: Int16)
    /// The crown turned: towards later rows and later times when positive.
    case crown(detents: Int8)
    /// A button went down.
    case press(Button)
    /// A button is still down about a second after its `press`.
    case hold(Button)
    /// A phone wants to pair: the wearer compares digits.
    case pairing(PairingPrompt)
    /// The wrist sensor has seen a change. A watch without a sensor counts as worn.
    case wrist(WristEvent)
    /// The wearer has chosen how the face counts the hours, in the settings of the board.
    case clock(ClockForm)
}

/// Whether the watch is on the wrist.
public enum WristState: UInt8, Sendable, BitwiseCopyable {
    case worn = 0
    /// Off the wrist: the watch shows the time and nothing private.
    case removed = 1
}

/// A change that a wrist sensor reports.
public enum WristEvent: UInt8, Sendable, BitwiseCopyable {
    /// The watch is off the wrist: it shows the time and nothing private.
    case removed = 0
    case worn = 1
    /// The wearer has raised the wrist to look.
    case raised = 2
}

/// A question while a phone pairs, by the numeric comparison of LE Secure Connections (Bluetooth Core Specification
/// 5.4, volume 3, part H, section 2.3.5.6.2).
public enum PairingPrompt: Sendable, BitwiseCopyable, Equatable {
    /// Do both devices show these six digits (0 to 999,999)? Others are ignored.
    case compare(digits: UInt32)
    /// The pairing has ended, with or without success.
    case over
    /// Phones may pair from now on, until `closed`.
    case open
    case closed
}

/// An answer to `PairingPrompt.compare`, or the wish to pair.
public enum PairingAnswer: UInt8, Sendable, BitwiseCopyable {
    /// The digits differ, or the wearer does not want to pair.
    case different = 0
    case same = 1
    /// No answer: phones may pair now, for a time that the radio's driver limits.
    case open = 2
}

/// An input and its time.
public struct TimedInput: Sendable, BitwiseCopyable, Equatable {
    /// What the wearer did.
    public var input: Input
    /// The time of the interrupt. For a tap, the wearer's wait begins at the interrupt of the lift.
    public var time: Instant

    /// An input whose interrupt fired at `time`.
    public init(_ input: Input, at time: Instant) {
        self.input = input
        self.time = time
    }
}

/// The touch controller, the crown and the buttons.
public protocol InputSource: ~Copyable {
    /// Takes the oldest input. The run loop calls it first in every step. Inputs stay in order, and none is lost while
    /// fewer than 32 wait.
    mutating func nextInput() -> TimedInput?

    /// The longest time from the last touch to its interrupt: one scan of the touch controller, which scans less often at rest. 0
    /// if a touch is reported without delay. Rows that have been on the panel for less time may have moved under the finger.
    var touchScanInterval: Microseconds { get }

    /// The sensor's state when the watch starts. Events report later changes.
    var wrist: WristState { get }

    /// Whether there is a crown. Without one, a finger that drags does the crown's work.
    static var hasCrown: Bool { get }
}

extension InputSource where Self: ~Copyable {
    /// A board without a sensor counts as worn.
    public var wrist: WristState { .worn }

    /// True, as on most boards.
    public static var hasCrown: Bool { true }
}
