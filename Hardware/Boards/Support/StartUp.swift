import CCortexM

/// What has to be done with memory before the first line of a program: by volatile accesses, because the compiler would
/// turn a plain loop into a call of memset or memcpy.
package enum StartUp {
    /// Sets every word from `start` up to `end` to 0.
    package static func clear(from start: UInt32, to end: UInt32) {
        var address = start
        while address < end {
            Register(UInt(address)).value = 0
            address += 4
        }
    }

    /// Copies words from `image` to the memory from `start` up to `end`.
    package static func copy(from image: UInt32, to start: UInt32, end: UInt32) {
        var offset: UInt32 = 0
        while start + offset < end {
            Register(UInt(start + offset)).value = Register(UInt(image + offset)).value
            offset += 4
        }
    }

    /// Switches the floating-point unit on: full access to coprocessors 10 and 11 (ARMv7-M Architecture Reference Manual,
    /// B3.2.20). After a reset its instructions are usage faults.
    package static func enableFloatingPoint() {
        Register(0xE000_ED88).value = 0xF &<< 20
        synchronize()
    }
}
