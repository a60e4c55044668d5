/// Why an instruction was not executed.
package enum Trap: Error, Equatable, Sendable {
    /// It is none that the processor has.
    case undefined
    /// An access of this address that has to be aligned and is not.
    case unaligned(UInt32)
    /// There is nothing at this address that could be read or written so.
    case bus(UInt32)
    /// The memory protection unit lets nobody access this address.
    case forbidden(UInt32)
    /// A branch to an address that is even, which would be one to the Arm instruction set.
    case invalidState
    /// The floating-point unit is off.
    case noCoprocessor
    case breakpoint(UInt8)
    case supervisorCall(UInt8)
    /// It waits, for an interrupt or an event: nobody here knows how long.
    case waits(For)

    /// What an instruction waits for.
    package enum For: Sendable {
        /// WFI.
        case interrupt
        /// WFE.
        case event
    }
}
