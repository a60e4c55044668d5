package struct TracedWord: Equatable, Sendable {
    package let port: Int
    package let word: UInt32
}

/// The instrumentation trace macrocell (C1.7). A program sends words to a debugger through the macrocell's 32 stimulus ports.
/// The ports ignore writes until a debugger switches the trace on.
struct InstrumentationTrace: Equatable, Sendable {
    private static let ports: UInt32 = 0xE000_0000
    /// The addresses of the trace enable register (TER) and the trace control register (TCR).
    private static let (enabling, control): (UInt32, UInt32) = (0xE000_0E00, 0xE000_0E80)

    private var isOn = false
    /// The word that the program has written to a port. The core then sets this to nil and ends its run.
    var written: TracedWord?

    /// Switches all ports on, as a debugger does. From now on, the core ends its run at each word that the program writes to a
    /// port.
    mutating func attach() { isOn = true }

    /// Returns the value of the register at an address, or nil if there is no register. A port that is on reads as 1, because
    /// it can always take a word.
    func word(at address: UInt32) -> UInt32? {
        switch address {
        case InstrumentationTrace.ports..<InstrumentationTrace.ports + 128: isOn ? 1 : 0
        case InstrumentationTrace.enabling: isOn ? .max : 0
        case InstrumentationTrace.control: isOn ? 1 : 0
        case _: nil
        }
    }

    /// Writes a word to the port at an address. While the trace is off, the word is lost. Returns false if there is no such
    /// port.
    mutating func write(_ word: UInt32, at address: UInt32) -> Bool {
        guard case InstrumentationTrace.ports..<InstrumentationTrace.ports + 128 = address else { return false }
        if isOn { written = TracedWord(port: Int(address - InstrumentationTrace.ports) / 4, word: word) }
        return true
    }
}
