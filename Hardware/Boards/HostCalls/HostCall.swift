/// The calls that a program on the lab's board makes to the machine that executes it.
///
/// A call is the instruction `BKPT #0x54`. Register 0 has the call's number, registers 1 to 3 have its arguments, and the
/// answer is in registers 0 and 1. Some calls use a block of words in the program's memory; its address is the first argument,
/// and `HostBlock` has the order of the words. An instant is microseconds since the start, low word first.
package enum HostCall: UInt32, Sendable {
    /// The number in the breakpoint instruction.
    package static var breakpoint: UInt8 { 0x54 }

    // MARK: The program

    /// Writes the settings into the caller's block of words. A program makes this call first.
    case settings = 0
    /// A step has done something. The answer is a `HostRequest`.
    case worked = 1
    /// A step has found nothing to do until the instant in registers 1 and 2, or forever if register 3 is 0. The answer is a
    /// `HostRequest`. If it requests something, the program does that and makes the call again.
    case idle = 2
    /// Passes the requested description: its address, its length, and 1 if the panel shows its rows, otherwise 0.
    case description = 3
    /// The first picture is drawn. The arguments are the stack's lowest address and the one above its highest. The answer is a
    /// `HostRequest`.
    case started = 6
    /// Passes the name of a handler, or of a part of the handler that was named last: the address of the name, a
    /// `HostNameKind`, and a size in bytes if the kind has one.
    case name = 4
    /// The program has taken an exception that it does not handle. The argument is the exception's number (ARMv7-M Architecture
    /// Reference Manual, B1.5.2).
    case exception = 5

    // MARK: The board

    /// Reads the clock: the low word of the microseconds since the start.
    case now = 8
    /// Writes the oldest input into the caller's block. The answer is 1, or 0 if there is no input.
    case nextInput = 9
    /// The answer is how many microseconds the finger of the newest touch may have waited for its interrupt.
    case touchScanInterval = 10
    /// Plays a haptic pattern, by its raw value.
    case play = 11
    /// Waits for an event. If register 3 is 1, waits at most until the instant in registers 1 and 2.
    case wait = 12
    case beginLines = 13
    /// Sends a line: its number, and the address of its frame of 20 bytes. The last 18 bytes are the pixels.
    case writeLine = 14
    case finishLines = 15
    /// Replaces the instant in the caller's block by the local time at that instant. The answer is 1, or 0 if the wall clock is
    /// not set.
    case calendar = 16
    /// Sets the wall clock to a local time in seconds since 1970.
    case setCalendar = 17
    /// Passes a trace event of the runtime: the address of the block that has it, and the kind and value of a
    /// `HostBlock.Trace`.
    case trace = 18
    /// The handler's own code begins (register 1 is 1) or returns (0). The program makes this call only if the settings ask for
    /// it.
    case handler = 19
    /// The runtime begins (1) or ends (0) work for the handler's messages. The arguments are the address of the message's name,
    /// that 1 or 0, and `MessageWork.Kind` plus 256 times the button.
    case messageWork = 20

    // MARK: The flash chip

    /// Writes the layout of the chip into the caller's block: bytes of a page, bytes of a sector, number of sectors, number of
    /// sectors for files.
    case flashGeometry = 24
    /// The answer is 1 while an erase is in progress, otherwise 0.
    case flashActivity = 25
    /// Reads or programs: address on the chip, address in memory, number of bytes. The answer is a `HostFlashAnswer`.
    case readFlash = 26
    case programFlash = 27
    /// Begins to erase the sector with this number. The answer is a `HostFlashAnswer`.
    case beginErase = 28
    case finishErase = 29

    // MARK: The radio

    /// Writes the number of the connection and the size of the largest datagram into the caller's block. The answer is 1, or 0
    /// if no phone is connected.
    case radioState = 32
    /// Sends a datagram: its address and length. The answer is 0 for sent, 1 for busy, or 2 for refused.
    case sendDatagram = 33
    /// Copies the next datagram: where to, and the room there. The answer is its length, or `HostCall.nothing`.
    case receiveDatagram = 34
    /// Passes the wearer's answer to a pairing, by its raw value.
    case answerPairing = 35
    case disconnectRadio = 36

    /// What the words of the stack contain before they are used.
    package static var stackPaint: UInt32 { 0x5AC5_5AC5 }

    /// The answer if there is nothing to answer.
    package static var nothing: UInt32 { .max }
}

package enum HostNameKind: UInt32, Sendable {
    case handler = 0
    case immediateStage = 1
    case deferredStage = 2
    // These name the handler's messages, in the order of `MessageUse`. The size is that of the longest value.
    case valueToPhone = 3
    case valueFromPhone = 4
    case queueToPhone = 5
    case queueFromPhone = 6
    case questionToPhone = 7
    case questionFromPhone = 8
    /// The handler takes files. The size is that of the longest file.
    case files = 9
}

/// What the machine wants when a step has ended.
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

/// The order of a call's values in its block of words.
package enum HostBlock {
    /// The number of words in the longest block.
    package static var words: Int { 48 }

    /// The settings for the program.
    package enum Settings {
        /// Random bits, from which a watch without an identity in flash draws one.
        package static var seedLow: Int { 0 }
        package static var seedHigh: Int { 1 }
        /// 0 to run the watch, 1 to name the handlers and their stages.
        package static var purpose: Int { 2 }
        /// The index of the handler to run, from 0.
        package static var handler: Int { 3 }
        /// How many stages follow, up to `mostStages`. `HostCall.nothing` means that the handler runs as it is.
        package static var stageCount: Int { 4 }
        /// The stages to run, each by its index in the handler. `deferred` is added for a stage after the update of the panel.
        package static var stages: Int { 5 }
        package static var mostStages: Int { 32 }
        package static var deferred: UInt32 { 0x100 }
        /// 1 if a handler that runs as it is reports when its own code begins and returns, otherwise 0.
        package static var handlerReports: Int { 37 }
    }

    /// An input, with the time of its interrupt.
    package enum Input {
        package static var kind: Int { 0 }
        package static var first: Int { 1 }
        package static var second: Int { 2 }
        package static var timeLow: Int { 3 }
        package static var timeHigh: Int { 4 }
    }

    package enum InputKind: UInt32, Sendable {
        /// A touch. `first` and `second` are x and y.
        case touch = 0
        /// A turn of the crown. `first` is the number of detents.
        case crown = 1
        /// A button. `first` is its raw value.
        case press = 2
        case hold = 3
        /// A phone wants to pair. `first` is the six digits.
        case compareDigits = 4
        case pairingOver = 5
        /// An event of the wrist sensor, or a form of the clock. `first` is its raw value.
        case wrist = 8
        case clock = 9
        /// The finger has moved or lifted. `first` and `second` are x and y.
        case moved = 6
        case lifted = 7
        case pairingOpen = 10
        case pairingClosed = 11
    }

    package enum Trace {
        package static var timeLow: Int { 0 }
        package static var timeHigh: Int { 1 }
        package static var tap: Int { 2 }
        /// When a moment began that the wearer waited for.
        package static var fromLow: Int { 3 }
        package static var fromHigh: Int { 4 }
    }

    package enum TraceKind: UInt32, Sendable {
        // The call's value is the raw value of a mark, the address of a stage's name, or the number of an error.
        case mark = 0
        case stageBegan = 1
        case stageEnded = 2
        case screenChanged = 3
        case journalFailed = 4
        /// What the wearer waited for is on the panel. The call's value is the raw value of the moment.
        case moment = 5
    }
}
