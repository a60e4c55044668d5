/// How many cycles the core takes for its instructions where memory has no wait states.
///
/// Base: Cortex-M4 Technical Reference Manual (Arm 100166_0001_00), tables 3-1, 3-2 and 7-1, section 3.3.2. What the manual
/// leaves open is marked as an assumption.
package struct CoreTiming: Equatable, Sendable {
    /// How many cycles refill the pipeline after a branch. The manual says 1 to 3, by the target's alignment and width and
    /// by whether the core knows the address early (table 3-1, P); which branch takes which is an assumption.
    package struct Refill: Equatable, Sendable {
        /// B, BL and CBZ, whose target is in the instruction.
        package var direct: UInt64
        /// BX, BLX and results in the program counter.
        package var register: UInt64
        /// A program counter that was loaded from memory.
        package var loaded: UInt64
        /// A target of 32 bits that is not aligned to a word takes two fetches.
        package var unalignedTarget: UInt64
    }

    package var refill: Refill
    /// A division takes 2 to 12 (table 3-1): in between it is assumed to grow with the bits of the quotient.
    package var shortestDivision: UInt64
    package var longestDivision: UInt64
    /// A load or a store whose address is the result of the instruction before it waits. An assumption: section 3.3.2 says
    /// so of the addresses of loads alone.
    package var addressStall: UInt64
    /// What flash costs on top: a number of the part, not of the core.
    package var flash = FlashTiming.immediate

    package static let cortexM4 = CoreTiming(
        refill: Refill(direct: 1, register: 2, loaded: 3, unalignedTarget: 1), shortestDivision: 2,
        longestDivision: 12, addressStall: 1)

    /// The fewest cycles that the manual allows for.
    package static let shortest = CoreTiming(
        refill: Refill(direct: 1, register: 1, loaded: 1, unalignedTarget: 0), shortestDivision: 2,
        longestDivision: 2, addressStall: 0)

    /// The most: three to refill the pipeline, whatever the branch and its target are.
    package static let longest = CoreTiming(
        refill: Refill(direct: 3, register: 3, loaded: 3, unalignedTarget: 0), shortestDivision: 12,
        longestDivision: 12, addressStall: 1)

    /// The same core with another flash.
    package func with(_ flash: FlashTiming) -> CoreTiming {
        var timing = self
        timing.flash = flash
        return timing
    }

    /// - Parameter bits: how many the quotient has: 0 to 32.
    func division(bits: UInt64) -> UInt64 {
        shortestDivision + (bits * (longestDivision - shortestDivision) + 31) / 32
    }
}
