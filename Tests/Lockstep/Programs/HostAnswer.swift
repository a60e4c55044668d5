/// What the host answers to a call of a program: its breakpoint, what is in register 0 behind it, and what was written to memory.
struct HostAnswer: Equatable, Sendable {
    struct Write: Equatable, Sendable {
        var address: UInt32
        var bytes: [UInt8]
    }

    /// The address of the breakpoint.
    var call: UInt32
    var result: UInt32
    var writes: [Write]
}
