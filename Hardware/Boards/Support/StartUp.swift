import CCortexM

/// Prepares memory before the program starts. Accesses are volatile; otherwise the compiler would replace the loops by calls of
/// memset or memcpy.
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

    /// Gives the program access to the floating-point unit, which is coprocessors 10 and 11 (ARMv7-M Architecture Reference
    /// Manual, B3.2.20). Before this call, a floating-point instruction causes a usage fault.
    package static func enableFloatingPoint() {
        Register(0xE000_ED88).value = 0xF &<< 20
        synchronize()
    }
}

/// Fills the stacks with a pattern. The part of the pattern that remains tells a debugger how much of the stacks was used.
package enum StackPaint {
    private static var paint: UInt32 { 0x5AC5_5AC5 }

    /// Fills both stacks, except the upper 256 bytes of the exception handlers' stack. The start-up code uses those bytes
    /// while it calls this.
    package static func apply() {
        cover(from: address_of_handler_stack_bottom(), to: address_of_handler_stack_top() &- 256)
        cover(from: address_of_stack_bottom(), to: address_of_stack_top())
    }

    private static func cover(from bottom: UInt32, to top: UInt32) {
        var address = bottom
        while address < top {
            Register(UInt(address)).value = paint
            address += 4
        }
    }
}

/// The memory protection unit (ARMv7-M Architecture Reference Manual, B3.5) forbids access to 256 bytes below each stack, so
/// that a stack overflow becomes a fault and overwrites nothing.
package enum MemoryGuard {
    package static func enable() {
        forbid(region: 0, at: address_of_handler_stack_guard())
        forbid(region: 1, at: address_of_stack_guard())
        // Enables the MPU, with the default map for all other memory, except in the handlers of a hard fault and an NMI.
        Register(0xE000_ED94).value = 5
        synchronize()
    }

    package static func disable() {
        Register(0xE000_ED94).value = 0
        synchronize()
    }

    /// Whether the present memory fault is a stack overflow. At an overflow, the registers that the processor could not save
    /// on the stack are lost.
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
        // No access (AP 0), no execution, 2^(7+1) bytes, enabled.
        Register(0xE000_EDA0).value = 1 &<< 28 | 7 &<< 1 | 1
    }
}
