import CCortexM

/// The memory protection unit (ARMv7-M Architecture Reference Manual, B3.5), which makes a stack overflow a fault instead of
/// damage: nothing may touch the 256 bytes below either stack.
package enum MemoryGuard {
    /// Forbids both guards; all other memory stays as it is.
    package static func enable() {
        forbid(region: 0, at: address_of_handler_stack_guard())
        forbid(region: 1, at: address_of_stack_guard())
        // On, and the default map for everything that no region is for; off within faults, so that they can report.
        Register(0xE000_ED94).value = 5
        synchronize()
    }

    /// Makes everything readable again, for whoever reports a fault.
    package static func disable() {
        Register(0xE000_ED94).value = 0
        synchronize()
    }

    /// Whether the present memory fault is about a guard. Of its registers, those that had no more room on the stack are lost.
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
