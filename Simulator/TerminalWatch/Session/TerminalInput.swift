import WatchLink

/// Separates a user's keys and clicks from pastes, and from strings of a terminal or another program.
///
/// A sequence may come in any number of pieces.
struct TerminalInput {
    enum Part: Equatable {
        /// Bytes for the library that decodes keys and clicks.
        case typed([UInt8])
        /// A whole paste, which is ignored.
        case pasted
    }

    private enum State {
        case typing
        /// After ESC, or in a control sequence with these bytes after it.
        case sequence([UInt8])
        /// In a string that has begun at this time: APC, DCS, OSC, PM or SOS.
        case string(since: Instant)
        /// As `string`, after ESC, which begins its end.
        case endOfString(since: Instant)
        /// In a paste, after this many bytes of its end.
        case pasting(endBytes: Int)
    }

    /// A longer string is none: its first two bytes are also those of a key with Alt.
    static let longestString = Microseconds.milliseconds(500)
    private static let escape: UInt8 = 0x1B
    /// Ctrl-C, which also ends a paste or a string whose end is missing.
    private static let interrupt: UInt8 = 0x03
    private static let beginOfPaste = Array("[200~".utf8)
    private static let endOfPaste = [escape] + Array("[201~".utf8)

    private var state = State.typing
    private var parts: [Part] = []
    private var typed: [UInt8] = []

    /// Reads the next bytes, and returns the parts that are complete.
    mutating func take(_ bytes: some Sequence<UInt8>, at now: Instant) -> [Part] {
        switch state {
        case .string(let since), .endOfString(let since):
            if now >= since + TerminalInput.longestString { state = .typing }
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
        case .typing: type(byte)
        case .sequence([]) where "_P]^X".utf8.contains(byte):
            // An earlier ESC is a key without a meaning.
            if typed.last == TerminalInput.escape { typed.removeLast() }
            state = .string(since: now)
        case .sequence(let begun): takeSequence(begun, byte)
        case .string(let since):
            switch byte {
            case TerminalInput.escape: state = .endOfString(since: since)
            // BEL ends the string, and CAN and SUB cancel it.
            case 0x07, 0x18, 0x1A: state = .typing
            case TerminalInput.interrupt: type(byte)
            case _: break
            }
        case .endOfString:
            if byte == UInt8(ascii: "\\") {
                state = .typing
            } else {
                // Another sequence has interrupted the string.
                type(TerminalInput.escape)
                take(byte, at: now)
            }
        case .pasting(let endBytes):
            if byte == TerminalInput.endOfPaste[endBytes] {
                state = .pasting(endBytes: endBytes + 1)
                guard endBytes + 1 == TerminalInput.endOfPaste.count else { return }
                parts.append(.pasted)
                state = .typing
            } else if byte == TerminalInput.interrupt {
                type(byte)
            } else {
                state = .pasting(endBytes: byte == TerminalInput.escape ? 1 : 0)
            }
        }
    }

    private mutating func type(_ byte: UInt8) {
        typed.append(byte)
        state = byte == TerminalInput.escape ? .sequence([]) : .typing
    }

    private mutating func takeSequence(_ begun: [UInt8], _ byte: UInt8) {
        type(byte)
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
