import WatchLink

/// Separates the user's keys and clicks from pasted text. Drops control strings that the terminal or another program sends.
///
/// An escape sequence may arrive in any number of pieces.
struct TerminalInput {
    enum Part: Equatable {
        case typed([UInt8])
        case pasted
    }

    private enum State {
        case typing
        /// An ESC was read at this time. The terminal library has not received it yet.
        case escape(since: Instant)
        /// ESC and these bytes were read and passed on. They may begin the sequence that starts a paste.
        case sequence([UInt8])
        /// In a control string (APC, DCS, OSC, PM or SOS) that began at this time.
        case string(since: Instant)
        /// In a control string that began at this time. An ESC was read, which may begin the sequence that ends the string.
        case endOfString(since: Instant)
        /// In a paste. Its last `endBytes` bytes may be the beginning of the sequence that ends a paste.
        case pasting(endBytes: Int)
    }

    /// If no byte follows an ESC within this time, the ESC is the Escape key. That key has no function here, so the ESC is
    /// dropped.
    static let loneEscape = Microseconds.milliseconds(50)
    /// If a control string has no end, it counts as ended after this time. The bytes of Alt-P and of some other keys look like
    /// the beginning of a control string.
    static let longestString = Microseconds.milliseconds(500)
    private static let escape: UInt8 = 0x1B
    /// Ctrl-C. It also ends a paste or a control string whose end never comes.
    private static let interrupt: UInt8 = 0x03
    private static let beginOfPaste = Array("[200~".utf8)
    private static let endOfPaste = [escape] + Array("[201~".utf8)

    private var state = State.typing
    private var parts: [Part] = []
    private var typed: [UInt8] = []

    mutating func take(_ bytes: some Sequence<UInt8>, at now: Instant) -> [Part] {
        switch state {
        case .string(let since), .endOfString(let since):
            if now >= since + TerminalInput.longestString { state = .typing }
        case .escape(let since):
            if now >= since + TerminalInput.loneEscape { state = .typing }
        case .typing, .sequence, .pasting: break
        }
        for byte in bytes { take(byte, at: now) }
        endTyping()
        defer { parts = [] }
        return parts
    }

    private mutating func endTyping() {
        if !typed.isEmpty { parts.append(.typed(typed)) }
        typed = []
    }

    private mutating func take(_ byte: UInt8, at now: Instant) {
        switch state {
        case .typing: type(byte, at: now)
        case .escape where "_P]^X".utf8.contains(byte): state = .string(since: now)
        case .escape:
            typed.append(TerminalInput.escape)
            takeSequence([], byte, at: now)
        case .sequence(let begun): takeSequence(begun, byte, at: now)
        case .string(let since):
            switch byte {
            case TerminalInput.escape: state = .endOfString(since: since)
            // BEL ends the control string. CAN and SUB cancel it.
            case 0x07, 0x18, 0x1A: state = .typing
            case TerminalInput.interrupt: type(byte, at: now)
            case _: break
            }
        case .endOfString:
            if byte == UInt8(ascii: "\\") {
                state = .typing
            } else {
                // Another sequence interrupts the control string.
                state = .escape(since: now)
                take(byte, at: now)
            }
        case .pasting(let endBytes):
            if byte == TerminalInput.endOfPaste[endBytes] {
                state = .pasting(endBytes: endBytes + 1)
                guard endBytes + 1 == TerminalInput.endOfPaste.count else { return }
                parts.append(.pasted)
                state = .typing
            } else if byte == TerminalInput.interrupt {
                type(byte, at: now)
            } else {
                state = .pasting(endBytes: byte == TerminalInput.escape ? 1 : 0)
            }
        }
    }

    private mutating func type(_ byte: UInt8, at now: Instant) {
        if byte == TerminalInput.escape {
            state = .escape(since: now)
        } else {
            typed.append(byte)
            state = .typing
        }
    }

    private mutating func takeSequence(_ begun: [UInt8], _ byte: UInt8, at now: Instant) {
        type(byte, at: now)
        guard byte != TerminalInput.escape else { return }
        let sequence = begun + [byte]
        if sequence == TerminalInput.beginOfPaste {
            endTyping()
            state = .pasting(endBytes: 0)
        } else if sequence.count < TerminalInput.beginOfPaste.count, TerminalInput.beginOfPaste.starts(with: sequence) {
            state = .sequence(sequence)
        }
    }
}
