package struct TracedWord: Equatable, Sendable {
    package let port: Int
    package let word: UInt32
}

/// The instrumentation trace macrocell (C1.7). Through its 32 stimulus ports, a program sends words to a debugger. Its
/// registers ignore writes until a debugger switches the trace on.
struct InstrumentationTrace: Equatable, Sendable {
    private static let ports: UInt32 = 0xE000_0000
    /// TER and TCR.
    private static let (enabling, control): (UInt32, UInt32) = (0xE000_0E00, 0xE000_0E80)

    private var isOn = false
    /// The last written word; nil if there is none, or if that word has already ended a run.
    var written: TracedWord?

    /// Switches every port on, as a debugger does. Each word then ends a run.
    mutating func attach() { isOn = true }

    /// The value of the register at the address; nil if there is none. A port that is on reads as 1, because it always has
    /// room.
    func word(at address: UInt32) -> UInt32? {
        switch address {
        case InstrumentationTrace.ports..<InstrumentationTrace.ports + 128: isOn ? 1 : 0
        case InstrumentationTrace.enabling: isOn ? .max : 0
        case InstrumentationTrace.control: isOn ? 1 : 0
        case _: nil
        }
    }

    /// Writes a word to the port at an address. Returns false if there is no such port.
    mutating func write(_ word: UInt32, at address: UInt32) -> Bool {
        guard case InstrumentationTrace.ports..<InstrumentationTrace.ports + 128 = address else { return false }
        if isOn { written = TracedWord(port: Int(address - InstrumentationTrace.ports) / 4, word: word) }
        return true
    }
}
