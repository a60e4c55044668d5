import CCortexM

/// The end of a program that cannot go on: it says why on the console and stops with a failure status.
enum Fault {
    /// Says what happened, and the registers at that moment. A trap of the Swift runtime (an index out of range, an overflow)
    /// is a usage fault; `pc` tells where.
    static func report(_ what: StaticString) -> Never {
        // The registers may be where nobody else may read: that is the fault, where a stack has overflowed.
        MemoryGuard.disable()
        let frame = UInt(process_stack_pointer())
        Console.write(what)
        write(" pc ", Register(frame + 24))
        write(" lr ", Register(frame + 20))
        write(" r0 ", Register(frame))
        write(" r1 ", Register(frame + 4))
        write(" r2 ", Register(frame + 8))
        write(" r3 ", Register(frame + 12))
        write(" r12 ", Register(frame + 16))
        write(" xpsr ", Register(frame + 28))
        Console.write(" sp ")
        Console.write(hexadecimal: UInt32(truncatingIfNeeded: frame))
        // Configurable fault status, hard fault status, and the addresses that a memory or bus fault was about (B3.2).
        write(" cfsr ", Register(0xE000_ED28))
        write(" hfsr ", Register(0xE000_ED2C))
        write(" mmfar ", Register(0xE000_ED34))
        write(" bfar ", Register(0xE000_ED38))
        Console.write("\n")
        PowerSwitch.off(status: 70)
    }

    private static func write(_ name: StaticString, _ register: Register) {
        Console.write(name)
        Console.write(hexadecimal: register.value)
    }
}

/// Checks what only a bug of this board's could break; says where, and stops.
func check(_ condition: Bool, _ what: StaticString, file: StaticString = #fileID, line: UInt32 = #line) {
    if condition { return }
    Console.write(file)
    Console.write(":")
    Console.write(decimal: line)
    Console.write(": ")
    Console.write(what)
    Console.write("\n")
    PowerSwitch.off(status: 71)
}

/// Ends the machine: SYS_EXIT_EXTENDED of the Arm semihosting specification 2.0, section 5.7.
enum PowerSwitch {
    /// Stops with `status`, which becomes the exit status of QEMU.
    static func off(status: UInt32) -> Never {
        // QEMU reads the block only where the whole of its own page, a kilobyte, may be read.
        MemoryGuard.disable()
        let block: (reason: UInt32, status: UInt32) = (0x20026, status)
        withUnsafeBytes(of: block) { block in
            _ = semihosting_call(0x20, UInt32(truncatingIfNeeded: UInt(bitPattern: block.baseAddress)))
        }
        while true { wait_for_interrupt() }
    }
}
