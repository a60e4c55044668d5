/// What a program of the lab's board asks the machine that executes it for.
///
/// A call is the instruction `BKPT #0x54`. Register 0 has the call's number, registers 1 to 3 have its arguments; the answer is in
/// registers 0 and 1. A block is words of the program's memory, whose address is the first argument: `HostBlock` has their order.
/// An instant is microseconds since the start, its low word first.
package enum HostCall: UInt32, Sendable {
    /// The breakpoint's number.
    package static var breakpoint: UInt8 { 0x54 }

    // MARK: The program

    /// Fills the block of the settings. The program's first call.
    case settings = 0
    /// A step has done something. The answer is a `HostRequest`.
    case worked = 1
    /// A step has found nothing to do until the instant in registers 1 and 2, or without end where register 3 is 0. The answer is
    /// a `HostRequest`; the call is made again behind one that was met.
    case idle = 2
    /// The description that was asked for: address, count, and 1 where the panel shows its rows, else 0.
    case description = 3
    /// The program has started: the first frame is drawn. Its stack's lowest address, and the one above its highest. The answer is a
    /// `HostRequest`.
    case started = 6
    /// The name of a handler, or of something of the handler named last: the name's address, a `HostNameKind`, and a size in bytes where
    /// the kind has one.
    case name = 4
    /// Something has happened that has no handler: the number of the exception (B1.5.2).
    case exception = 5

    // MARK: The board

    /// The clock: the low word of the microseconds since the start.
    case now = 8
    /// Fills the block with the oldest input. Answers 1, or 0 where there is none.
    case nextInput = 9
    /// Answers the microseconds that the finger of the newest touch may have waited for its interrupt.
    case touchScanInterval = 10
    /// Plays a pattern: its raw value.
    case play = 11
    /// Waits for an event, or the instant in registers 1 and 2 where register 3 is 1.
    case wait = 12
    /// Announces a run of lines.
    case beginLines = 13
    /// Sends a line: its number, and the address of its frame of 20 bytes, whose last 18 are the pixels.
    case writeLine = 14
    /// Waits until the last line is on the panel.
    case finishLines = 15
    /// Fills the block with the local time at the instant in it. Answers 1, or 0 while the wall clock is not set.
    case calendar = 16
    /// Sets the wall clock: local time in seconds.
    case setCalendar = 17
    /// The runtime reports something: the block, the kind and the value of a `HostBlock.Trace`.
    case trace = 18
    /// The handler's own code begins where register 1 is 1, and returns where it is 0. Made where the settings ask for it.
    case handler = 19
    /// The runtime begins something for its handler's messages, or has ended it: the address of the message's name, 1 or 0, and
    /// `MessageWork.Kind` with 256 times the button.
    case messageWork = 20

    // MARK: The flash chip

    /// Fills the block with bytes of a page, bytes of a sector, sectors, and how many of these are for files.
    case flashGeometry = 24
    /// Answers 1 while an erase is in progress, else 0.
    case flashActivity = 25
    /// Reads or programs: address on the chip, address in memory, count. The answer is a `HostFlashAnswer`.
    case readFlash = 26
    case programFlash = 27
    /// Begins to erase a sector: its number. The answer is a `HostFlashAnswer`.
    case beginErase = 28
    /// Waits for the end of an erase.
    case finishErase = 29

    // MARK: The radio

    /// Fills the block with the connection's number and the largest datagram. Answers 1, or 0 where no phone is connected.
    case radioState = 32
    /// Sends a datagram: address and count. Answers 0 for sent, 1 for busy, 2 for refused.
    case sendDatagram = 33
    /// Copies a datagram: address and room. Answers its length, or `HostCall.nothing`.
    case receiveDatagram = 34
    /// The wearer's answer to a pairing: its raw value.
    case answerPairing = 35
    case disconnectRadio = 36

    /// What the words of the stack hold that were never in use.
    package static var stackPaint: UInt32 { 0x5AC5_5AC5 }

    /// The answer of a call that has none.
    package static var nothing: UInt32 { .max }
}

/// What a program names.
package enum HostNameKind: UInt32, Sendable {
    case handler = 0
    case immediateStage = 1
    case deferredStage = 2
    // Names of a handler's own, in the order of `MessageUse`, each with the most bytes of a value.
    case valueToPhone = 3
    case valueFromPhone = 4
    case queueToPhone = 5
    case queueFromPhone = 6
    case questionToPhone = 7
    case questionFromPhone = 8
    /// The handler takes files; the most bytes of one.
    case files = 9
}

/// What a program is asked for when a step has ended.
package enum HostRequest: UInt32, Sendable {
    /// To go on.
    case goOn = 0
    /// To describe its screen.
    case description = 1
}

/// How an operation of the flash chip has ended.
package enum HostFlashAnswer: UInt32, Sendable {
    case done = 0
    case outOfRange = 1
    case verifyFailed = 2
    case notResponding = 3
}
