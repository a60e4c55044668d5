/// What the watch does for messages, buttons and files of its handler, beside the stages of taps.
///
/// A device has no use for it. Whoever charges or measures what a handler executes is told when it begins and ends.
public struct MessageWork: Sendable, BitwiseCopyable {
    /// What it is. Raw values are in the calls of an image for the lab.
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        // `MessageHandler.take`, by what has happened; `HandlerMessage.Event` says what each means.
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
        /// `MessageHandler.press`.
        case button = 10
        /// The runtime takes 256 bytes of a file into its SHA-256, or judges it.
        case fileCheck = 11
    }

    /// What it is.
    public let kind: Kind
    /// The name that the message is under; no text for buttons and files.
    public let name: StaticString
    /// The button, counted from 0 on the left; 0 for anything else.
    public let button: UInt8

    init(_ kind: Kind, name: StaticString = "", button: UInt8 = 0) {
        (self.kind, self.name, self.button) = (kind, name, button)
    }
}
