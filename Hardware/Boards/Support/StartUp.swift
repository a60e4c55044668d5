import CCortexM

/// Prepares memory before the first line of a program. Accesses are volatile, because the compiler would turn a plain
/// loop into a call of memset or memcpy.
package enum StartUp {
    package static func clear(from start: UInt32, to end: UInt32) {
        var address = start
        while address < end {
            Register(UInt(address)).value = 0
            address += 4
        }
    }

    package static func copy(from image: UInt32, to start: UInt32, end: UInt32) {
        var offset: UInt32 = 0
        while start + offset < end {
            Register(UInt(start + offset)).value = Register(UInt(image + offset)).value
            offset += 4
        }
    }

    /// Full access to coprocessors 10 and 11 (ARMv7-M Architecture Reference Manual,
    /// B3.2.20). After a reset its instructions are usage faults.
    package static func enableFloatingPoint() {
        Register(0xE000_ED88).value = 0xF &<< 20
        synchronize()
    }
}

/// Measures the use of the stacks: they are painted before the program starts, and the remaining paint is counted.
package enum StackPaint {
    private static var paint: UInt32 { 0x5AC5_5AC5 }

    /// The caller runs on the handlers' stack, which is painted below a margin for what is in use.
    package static func apply() {
        cover(from: address_of_handler_stack_bottom(), to: address_of_handler_stack_top() &- 256)
        cover(from: address_of_stack_bottom(), to: address_of_stack_top())
    }

    /// The most bytes ever used of the main program's stack.
    package static var peak: UInt32 { used(from: address_of_stack_bottom(), to: address_of_stack_top()) }

    /// The most bytes ever used of the exception handlers' stack. The start-up itself counts as 256 bytes.
    package static var handlerPeak: UInt32 {
        used(from: address_of_handler_stack_bottom(), to: address_of_handler_stack_top())
    }

    private static func cover(from bottom: UInt32, to top: UInt32) {
        var address = bottom
        while address < top {
            Register(UInt(address)).value = paint
            address += 4
        }
    }

    private static func used(from bottom: UInt32, to top: UInt32) -> UInt32 {
        var address = bottom
        while address < top, Register(UInt(address)).value == paint { address += 4 }
        return top &- address
    }
}

/// The memory protection unit (ARMv7-M Architecture Reference Manual, B3.5), which makes a stack overflow a fault
/// instead of damage: nothing may touch the 256 bytes below either stack.
package enum MemoryGuard {
    package static func enable() {
        forbid(region: 0, at: address_of_handler_stack_guard())
        forbid(region: 1, at: address_of_stack_guard())
        // On, with the default map for all other memory; off within faults, so that they can report.
        Register(0xE000_ED94).value = 5
        synchronize()
    }

    /// Makes everything readable again for the report of a fault.
    package static func disable() {
        Register(0xE000_ED94).value = 0
        synchronize()
    }

    /// Whether the present memory fault is about a guard. Registers that had no more room on the stack are lost.
    package static var isHit: Bool {
        let address = Register(0xE000_ED34).value
        let isKnown = Register(0xE000_ED28).value & 0x80 != 0
        return isKnown
            && (contains(address, address_of_handler_stack_guard()) || contains(address, address_of_stack_guard()))
    }

    private static func contains(_ address: UInt32, _ start: UInt32) -> Bool {
        address &- start < 256
    }

    private static func forbid(region: UInt32, at address: UInt32) {
        Register(0xE000_ED98).value = region
        Register(0xE000_ED9C).value = address
        // No access (AP 0), never executed, 2^(7+1) bytes, enabled.
        Register(0xE000_EDA0).value = 1 &<< 28 | 7 &<< 1 | 1
    }
}
