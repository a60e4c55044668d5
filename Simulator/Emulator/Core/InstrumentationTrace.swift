package struct TracedWord: Equatable, Sendable {
    package let port: Int
    package let word: UInt32
}

/// The instrumentation trace macrocell (C1.7): by its 32 stimulus ports a program tells a debugger what it does. Its registers ignore
/// what is written before a debugger switches the trace on.
struct InstrumentationTrace: Equatable, Sendable {
    private static let ports: UInt32 = 0xE000_0000
    /// TER and TCR.
    private static let (enabling, control): (UInt32, UInt32) = (0xE000_0E00, 0xE000_0E80)

    private var isOn = false
    /// The newest word, until the run ends because of it.
    var written: TracedWord?

    /// Does what a debugger does: switches every port on. Each word then ends a run.
    mutating func attach() { isOn = true }

    /// Nil if no register is at the address. A port reads as 1 because it always has room.
    func word(at address: UInt32) -> UInt32? {
        switch address {
        case InstrumentationTrace.ports..<InstrumentationTrace.ports + 128: isOn ? 1 : 0
        case InstrumentationTrace.enabling: isOn ? .max : 0
        case InstrumentationTrace.control: isOn ? 1 : 0
        case _: nil
        }
    }

    /// Returns false if no port is at the address.
    mutating func write(_ word: UInt32, at address: UInt32) -> Bool {
        guard case InstrumentationTrace.ports..<InstrumentationTrace.ports + 128 = address else { return false }
        if isOn { written = TracedWord(port: Int(address - InstrumentationTrace.ports) / 4, word: word) }
        return true
    }
}
