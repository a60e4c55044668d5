/// The calls of a program on the lab's board to the machine that executes it.
///
/// A call is the instruction `BKPT #0x54`. Register 0 has the call's number, registers 1 to 3 have its arguments; the
/// answer is in registers 0 and 1. A block is words of the program's memory, whose address is the first argument:
/// `HostBlock` has their order. An instant is microseconds since the start, its low word first.
package enum HostCall: UInt32, Sendable {
    /// The breakpoint's number.
    package static var breakpoint: UInt8 { 0x54 }

    // MARK: The program

    /// Fills the block of the settings. The program's first call.
    case settings = 0
    /// A step has done something. The answer is a `HostRequest`.
    case worked = 1
    /// A step has found nothing to do until the instant in registers 1 and 2, or forever if register 3 is 0. The answer
    /// is a `HostRequest`; the program makes the call again after it has met one.
    case idle = 2
    /// The requested description: address, count, and 1 if the panel shows its rows, else 0.
    case description = 3
    /// The first frame is drawn. The stack's lowest address, and the one above its highest. The answer is a
    /// `HostRequest`.
    case started = 6
    /// The name of a handler, or of a part of the handler named last: the name's address, a `HostNameKind`, and a size
    /// in bytes if the kind has one.
    case name = 4
    /// An exception without a handler: its number (B1.5.2).
    case exception = 5

    // MARK: The board

    /// The clock: the low word of the microseconds since the start.
    case now = 8
    /// Fills the block with the oldest input. Answers 1, or 0 if there is none.
    case nextInput = 9
    /// Answers the microseconds that the finger of the newest touch may have waited for its interrupt.
    case touchScanInterval = 10
    /// Plays a pattern: its raw value.
    case play = 11
    /// Waits for an event, or the instant in registers 1 and 2 if register 3 is 1.
    case wait = 12
    case beginLines = 13
    /// Sends a line: its number, and the address of its frame of 20 bytes. The last 18 bytes are the pixels.
    case writeLine = 14
    case finishLines = 15
    /// Fills the block with the local time at the instant in it. Answers 1, or 0 while the wall clock is not set.
    case calendar = 16
    /// Sets the wall clock: local time in seconds.
    case setCalendar = 17
    /// The runtime reports something: the block, the kind and the value of a `HostBlock.Trace`.
    case trace = 18
    /// The handler's own code begins (register 1 is 1) or returns (0). Only made if the settings ask for it.
    case handler = 19
    /// The runtime begins (1) or ends (0) work for its handler's messages: the address of the message's name, 1 or 0,
    /// and `MessageWork.Kind` plus 256 times the button.
    case messageWork = 20

    // MARK: The flash chip

    /// Fills the block with the bytes of a page, the bytes of a sector, the number of sectors, and the number of file sectors.
    case flashGeometry = 24
    /// Answers 1 while an erase is in progress, else 0.
    case flashActivity = 25
    /// Reads or programs: address on the chip, address in memory, count. The answer is a `HostFlashAnswer`.
    case readFlash = 26
    case programFlash = 27
    /// Begins to erase a sector: its number. The answer is a `HostFlashAnswer`.
    case beginErase = 28
    case finishErase = 29

    // MARK: The radio

    /// Fills the block with the connection's number and the largest datagram. Answers 1, or 0 if no phone is connected.
    case radioState = 32
    /// Sends a datagram: address and count. Answers 0 for sent, 1 for busy, 2 for refused.
    case sendDatagram = 33
    /// Copies a datagram: address and room. Answers its length, or `HostCall.nothing`.
    case receiveDatagram = 34
    /// The wearer's answer to a pairing: its raw value.
    case answerPairing = 35
    case disconnectRadio = 36

    /// The content of stack words that were never used.
    package static var stackPaint: UInt32 { 0x5AC5_5AC5 }

    /// The answer of a call that has none.
    package static var nothing: UInt32 { .max }
}

package enum HostNameKind: UInt32, Sendable {
    case handler = 0
    case immediateStage = 1
    case deferredStage = 2
    // Names of the handler's messages, in the order of `MessageUse`, each with the most bytes of a value.
    case valueToPhone = 3
    case valueFromPhone = 4
    case queueToPhone = 5
    case queueFromPhone = 6
    case questionToPhone = 7
    case questionFromPhone = 8
    /// The handler takes files; the most bytes of one.
    case files = 9
}

/// The machine's answer when a step has ended.
package enum HostRequest: UInt32, Sendable {
    case goOn = 0
    case description = 1
}

package enum HostFlashAnswer: UInt32, Sendable {
    case done = 0
    case outOfRange = 1
    case verifyFailed = 2
    case notResponding = 3
}

/// The places of a call's values in its block of words.
package enum HostBlock {
    /// The longest block.
    package static var words: Int { 48 }

    /// The program's settings.
    package enum Settings {
        /// Randomness for the identity of a watch whose flash holds none.
        package static var seedLow: Int { 0 }
        package static var seedHigh: Int { 1 }
        /// 0 to run, 1 to name the handlers and their stages.
        package static var purpose: Int { 2 }
        /// The word with the handler's index, counted from 0.
        package static var handler: Int { 3 }
        /// `HostCall.nothing` for the handler as it is; otherwise the number of its stages that follow, up to `mostStages`.
        package static var stageCount: Int { 4 }
        /// Each a stage's number in its handler, with `deferred` added for one after the update of the panel.
        package static var stages: Int { 5 }
        package static var mostStages: Int { 32 }
        package static var deferred: UInt32 { 0x100 }
        /// 1 if a handler as it is reports when its own code begins and returns, else 0.
        package static var handlerReports: Int { 37 }
    }

    /// The time is that of the interrupt.
    package enum Input {
        package static var kind: Int { 0 }
        package static var first: Int { 1 }
        package static var second: Int { 2 }
        package static var timeLow: Int { 3 }
        package static var timeHigh: Int { 4 }
    }

    package enum InputKind: UInt32, Sendable {
        /// `first` and `second` are x and y.
        case touch = 0
        /// `first` is the detents.
        case crown = 1
        /// `first` is the button's raw value.
        case press = 2
        case hold = 3
        /// `first` is the six digits.
        case compareDigits = 4
        case pairingOver = 5
        /// `first` is the raw value of the event or of the form.
        case wrist = 8
        case clock = 9
        /// `first` and `second` are x and y.
        case moved = 6
        case lifted = 7
        case pairingOpen = 10
        case pairingClosed = 11
    }

    package enum Trace {
        package static var timeLow: Int { 0 }
        package static var timeHigh: Int { 1 }
        package static var tap: Int { 2 }
        /// When the moment began.
        package static var fromLow: Int { 3 }
        package static var fromHigh: Int { 4 }
    }

    package enum TraceKind: UInt32, Sendable {
        // The call's value is a mark's raw value, a stage's name as an address, or an error's number.
        case mark = 0
        case stageBegan = 1
        case stageEnded = 2
        case screenChanged = 3
        case journalFailed = 4
        /// The call's value is the moment's raw value.
        case moment = 5
    }
}
