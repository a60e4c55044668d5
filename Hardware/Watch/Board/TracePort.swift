/// The events that an image reports to a debugger, or to the machine that executes the image. They go to the stimulus ports of
/// the instrumentation trace macrocell (ARMv7-M Architecture Reference Manual, C1.7). Each kind of event has a port and a fixed
/// number of words. An event happens when its first word is written. Names are addresses of text that ends with a zero byte.
package enum TracePort: UInt32, Sendable {
    // Events of every image.

    /// The raw value of a `TapMark` and, from bit 8 on, the number of the tap; then the low word of the mark's time.
    case mark = 1
    /// The stage's name, and the number of the tap.
    case stageBegan
    case stageEnded
    case screenChanged
    /// The raw value of a `WatchMoment`, and the low words of its beginning and end.
    case moment
    /// The number of a `JournalError`.
    case journalFailed
    /// A `MessageWork` begins or ends. The first word is the work's name. The second is the work's kind, plus 256 times its
    /// button, plus `began` if the work begins.
    case messageWork
    /// The raw value of a `HapticPattern`.
    case haptic
    /// The runtime takes an input of the wearer, or a datagram.
    case input
    case datagram
    // Lines are sent to the panel. The last one is on the panel at `shownLines`.
    case beginLines
    case line
    case finishLines
    case shownLines

    // Events of an image with a list of handlers.

    /// The first picture is drawn. The event has the address of the word that requests `described`, the two bounds of the stack,
    /// and the low word of the time.
    case started
    /// A step begins.
    case stepping
    /// A step has ended: 1 if the watch has nothing to do, otherwise 0.
    case stepped
    /// The address and the length of the screen's description, and 1 if the panel shows the described rows, otherwise 0.
    case described
    /// The handler's own code begins (1) or returns (0).
    case handler
    /// A name, a `TracedName` that says what has this name, and a size in bytes (0 if the kind has none). Parts of a handler
    /// follow the name of the handler.
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
    // A name of the handler's messages, in the order of `MessageUse`. The size is that of the longest value.
    case valueToPhone
    case valueFromPhone
    case queueToPhone
    case queueFromPhone
    case questionToPhone
    case questionFromPhone
    /// In `TracePort.name`, this kind has an empty name, and the size of the longest file that the handler takes.
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

/// Which handler an image with a list of handlers runs, and how. The settings are UICR's first words for customers. The words
/// are erased unless a debugger has programmed them (nRF52832 Product Specification v1.4, section 14.1).
package enum HandlerSettings {
    /// The offset of the words in UICR.
    package static var offset: UInt32 { 0x080 }
    /// The place of the word with the handler's index. If that word is erased, the first handler runs.
    package static var handler: Int { 0 }
    /// The place of the word with the options. `names` and `reports` are on if their bits are clear. The upper two bytes count
    /// the immediate and the deferred stages that run. If these bytes are erased, the handler runs as it is.
    package static var options: Int { 1 }
    /// The place of the first word with indices of stages that run. Each index is one byte; immediate stages come first.
    package static var stages: Int { 2 }
    package static var mostStages: Int { 32 }
    package static var words: Int { stages + mostStages / 4 }

    /// The image names its handlers and runs none.
    package static var names: UInt32 { 1 }
    /// A handler that runs as it is reports when its own code begins and returns.
    package static var reports: UInt32 { 2 }
    package static var asItIs: UInt32 { 0xFFFF }
}

extension JournalError {
    /// The error's number in a trace: 0 and 2 to 5 in the order of the cases, and 16 or more for errors of the flash chip.
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
