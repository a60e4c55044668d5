import BoardSupport
import Watch

/// Sends trace events (`TracePort`) to a debugger. Without a debugger, each `send` costs only a load and a branch.
enum Trace {
    /// Whether a debugger has enabled the stimulus ports (TCR.ITMENA).
    @inline(__always)
    static var isOn: Bool { Register(0xE000_0E80).value & 1 != 0 }

    @inline(__always)
    static func send(_ port: TracePort) {
        if isOn { write(0, port.rawValue) }
    }

    @inline(__always)
    static func send(_ port: TracePort, _ word: UInt32) {
        if isOn { write(word, port.rawValue) }
    }

    @inline(__always)
    static func send(_ port: TracePort, _ first: UInt32, _ second: UInt32) {
        if isOn { write(first, second, port.rawValue) }
    }

    @inline(never)
    private static func write(_ first: UInt32, _ second: UInt32, _ port: UInt32) {
        write(first, port)
        write(second, port)
    }

    /// Waits until the port reads as 1, because the port then has room. Then writes the word.
    @inline(never)
    private static func write(_ word: UInt32, _ port: UInt32) {
        let stimulus = Register(0xE000_0000 + 4 * UInt(port))
        while stimulus.value == 0 {}
        stimulus.value = word
    }

    static func address(_ name: StaticString) -> UInt32 { UInt32(truncatingIfNeeded: UInt(bitPattern: name.utf8Start)) }
}
