import CCortexM
import HostCalls
import Watch

/// The machine that executes the program.
enum Host {
    /// Makes a call, and returns register 0 of its answer.
    @inline(__always)
    @discardableResult
    static func call(_ call: HostCall, _ first: UInt32 = 0, _ second: UInt32 = 0, _ third: UInt32 = 0) -> UInt32 {
        UInt32(truncatingIfNeeded: call_host(call.rawValue, first, second, third))
    }

    /// Makes a call whose argument is a block.
    @inline(__always)
    @discardableResult
    static func fill(_ block: FixedArray<UInt32>, _ call: HostCall) -> UInt32 {
        Host.call(call, word(block.address(of: 0)))
    }

    /// An address as an argument.
    @inline(__always)
    static func word(_ address: UnsafeRawPointer) -> UInt32 { UInt32(truncatingIfNeeded: UInt(bitPattern: address)) }
}
