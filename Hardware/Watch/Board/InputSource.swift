import WatchLink

/// A button on the watch's side.
public enum Button: UInt8, Sendable, BitwiseCopyable {
    /// The crown, pressed.
    case crown = 0
    /// The side button below it.
    case side = 1
}

/// What the wearer did, or is asked by the radio.
public enum Input: Sendable, BitwiseCopyable, Equatable {
    /// A finger came down at a pixel of the panel: x 0 to 143, y 0 to 167. Others are ignored.
    case touch(x: Int16, y: Int16)
    /// The crown turned by so many detents, down (towards later rows and later times) when positive.
    case crown(detents: Int8)
    /// A button went down.
    case press(Button)
    /// A phone wants to pair: whether both show the same six digits is for the wearer to say.
    case pairing(PairingPrompt)
}

/// What the radio asks of the wearer while a phone pairs with the watch, by the numeric comparison of LE Secure Connections
/// (Bluetooth Core Specification 5.4, volume 3, part H, section 2.3.5.6.2).
public enum PairingPrompt: Sendable, BitwiseCopyable, Equatable {
    /// Do both devices show these six digits? 0 to 999,999; others are no question and are ignored.
    case compare(digits: UInt32)
    /// It is over: the phone or the radio has given up, or both have agreed.
    case over
}

/// What the wearer says to the digits.
public enum PairingAnswer: UInt8, Sendable, BitwiseCopyable {
    /// They are others, or the wearer does not want to pair.
    case different = 0
    /// They are the same.
    case same = 1
}

/// An input with the moment its interrupt fired, which is when the wearer's waiting begins.
public struct TimedInput: Sendable, BitwiseCopyable, Equatable {
    /// What was done.
    public var input: Input
    /// When the interrupt fired.
    public var time: Instant

    /// `input`, done at `time`.
    public init(_ input: Input, at time: Instant) {
        self.input = input
        self.time = time
    }
}

/// The touch controller, the crown and the buttons.
public protocol InputSource: ~Copyable {
    /// The oldest input that has not been taken yet, or nil. Inputs come in the order in which they were made; none is lost
    /// while fewer than 32 wait.
    mutating func nextInput() -> TimedInput?
}
