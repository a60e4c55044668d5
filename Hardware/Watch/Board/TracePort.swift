/// A kind of event that a firmware image reports to a debugger or to the emulator. The raw value is the stimulus port of the
/// instrumentation trace macrocell (ARMv7-M Architecture Reference Manual, C1.7).
///
/// Each event is a fixed number of words (`words`), and happens when its first word is written. A name in an event is the
/// address of text that ends with a zero byte. A time is the low 32 bits of the board's clock, in microseconds.
package enum TracePort: UInt32, Sendable {
    // Events of every image. If no content is described, the event is one word with the value 0.

    /// A tap has reached a mark. The first word is the raw value of the `TapMark`, plus 256 times the tap's number. The second
    /// is the mark's time.
    case mark = 1
    // A stage of a tap begins or ends (`stageBegan`, `stageEnded`). The words are the stage's name and the tap's number.
    case stageBegan
    case stageEnded
    case screenChanged
    /// A wait of the wearer has ended. The words are the raw value of the `WatchMoment`, and the times at which the wait began
    /// and ended.
    case moment
    /// The journal has failed. The word is `JournalError.traceCode`.
    case journalFailed
    /// A `MessageWork` begins or ends. The first word is the work's name. The second word is the work's kind, plus 256 times
    /// the work's button. If the work begins, the constant `began` is added to the second word.
    case messageWork
    /// A haptic pattern begins. The word is the raw value of the `HapticPattern`.
    case haptic
    // The runtime takes an input (`input`) or a datagram from the phone (`datagram`).
    case input
    case datagram
    // The runtime sends lines to the panel. At `line`, a line was passed to the panel's driver. At `shownLines`, the last one
    // is on the panel.
    case beginLines
    case line
    case finishLines
    case shownLines

    // Events of an image with a list of handlers, which the lab executes.

    /// The watch has started and drawn its first picture. The words are an address, the bottom and the top of the stack, and
    /// the time. While a debugger keeps a number other than 0 at the address, the image reports `described` after each step.
    case started
    /// A step of the runtime begins.
    case stepping
    /// A step of the runtime has ended. The word is 1 if the runtime has nothing to do, otherwise 0.
    case stepped
    /// The image has described its screen. The words are the address and the length of the description, and 1 if the panel
    /// shows the described rows, otherwise 0.
    case described
    /// The handler's own code begins (the word is 1) or returns (0).
    case handler
    /// The image reports the name of a handler, or the name of one of the handler's parts. The handler's own name comes first.
    /// The words are the name, the raw value of a `TracedName`, and a size in bytes. The size is 0 for a handler or a stage.
    case name
    /// All handlers have been named.
    case named

    package static var began: UInt32 { 1 &<< 16 }

    package var words: Int {
        switch self {
        case .screenChanged, .journalFailed, .haptic, .input, .datagram, .beginLines, .line, .finishLines, .shownLines,
            .stepping, .stepped,
            .handler, .named:
            1
        case .mark, .stageBegan, .stageEnded, .messageWork: 2
        case .moment, .described, .name: 3
        case .started: 4
        }
    }
}

package enum TracedName: UInt32, Sendable {
    case handler = 0
    case immediateStage
    case deferredStage
    // The names of the handler's messages, with one kind for each `MessageUse`. The size is that of the longest value.
    case valueToPhone
    case valueFromPhone
    case queueToPhone
    case queueFromPhone
    case questionToPhone
    case questionFromPhone
    /// The files that the handler takes. The name is empty. The size is that of the longest file.
    case files

    package init(_ use: MessageUse) {
        self =
            switch use {
            case .valueToPhone: .valueToPhone
            case .valueFromPhone: .valueFromPhone
            case .queueToPhone: .queueToPhone
            case .queueFromPhone: .queueFromPhone
            case .questionToPhone: .questionToPhone
            case .questionFromPhone: .questionFromPhone
            }
    }
}

/// The settings of an image with a list of handlers: which handler it runs, and how. Each setting is a word in one of UICR's
/// first CUSTOMER registers. These are erased unless a debugger has programmed them (nRF52832 Product Specification v1.4,
/// section 14.1).
package enum HandlerSettings {
    /// The offset of the first setting in UICR, in bytes.
    package static var offset: UInt32 { 0x080 }
    /// The index of the setting that selects the handler. The setting's value is the handler's index in the image's list. If
    /// the setting is erased, the first handler runs.
    package static var handler: Int { 0 }
    /// The index of the setting with the options. The options `names` and `reports` are on if their bits are clear. Bits 16 to
    /// 23 are the number of immediate stages that run. Bits 24 to 31 are the number of deferred stages that run. If bits 16 to
    /// 31 are erased, the handler runs unchanged.
    package static var options: Int { 1 }
    /// The index of the first setting with stages. Each byte, lowest first, is the index of a stage that runs. Immediate stages
    /// come before deferred ones.
    package static var stages: Int { 2 }
    package static var mostStages: Int { 32 }
    package static var words: Int { stages + mostStages / 4 }

    /// The option bit with which the image reports the names of its handlers, and runs none of them.
    package static var names: UInt32 { 1 }
    /// The option bit with which the image reports when the handler's own code begins and returns. It has no effect if `stages`
    /// selects the stages.
    package static var reports: UInt32 { 2 }
    package static var asItIs: UInt32 { 0xFFFF }
}

extension JournalError {
    package var traceCode: UInt32 {
        switch self {
        case .notMounted: 0
        case .full: 2
        case .recordTooLong: 3
        case .snapshotTooLarge: 4
        case .unsuitableGeometry: 5
        case .flash(.outOfRange): 16
        case .flash(.verifyFailed): 17
        case .flash(.notResponding): 18
        }
    }

    package init?(traceCode: UInt32) {
        switch traceCode {
        case 0: self = .notMounted
        case 2: self = .full
        case 3: self = .recordTooLong
        case 4: self = .snapshotTooLarge
        case 5: self = .unsuitableGeometry
        case 16: self = .flash(.outOfRange)
        case 17: self = .flash(.verifyFailed)
        case 18: self = .flash(.notResponding)
        default: return nil
        }
    }
}
