import BoardSupport
import CCortexM

/// Ends a program that cannot continue. It prints the reason on the console, and stops the machine with a failure status.
package enum ProcessorFault {
    /// Prints what happened and the registers at that time. If the Swift runtime trapped (an index out of range, an overflow),
    /// it is a usage fault, and `pc` tells where.
    package static func report(_ what: StaticString) -> Never {
        // After a stack overflow, the registers are in the guarded memory.
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
        // The fault status registers, and the addresses of a memory or bus fault (B3.2).
        write(" cfsr ", Register(0xE000_ED28))
        write(" hfsr ", Register(0xE000_ED2C))
        write(" mmfar ", Register(0xE000_ED34))
        write(" bfar ", Register(0xE000_ED38))
        PowerSwitch.off(status: 70)
    }

    private static func write(_ name: StaticString, _ register: Register) {
        Console.write(name)
        Console.write(hexadecimal: register.value)
    }
}

/// Checks a condition that only a bug of this board can violate. If it is false, prints its place and stops.
func check(_ condition: Bool, _ what: StaticString, file: StaticString = #fileID, line: UInt32 = #line) {
    if condition { return }
    Console.write(file)
    Console.write(":")
    Console.write(decimal: line)
    Console.write(": ")
    Console.write(what)
    PowerSwitch.off(status: 71)
}

/// Ends the machine with what the board itself has: a line on the console, and a reset.
enum PowerSwitch {
    /// Ends the console's line with ` status ` and the status in decimal. Then resets the processor (AIRCR.SYSRESETREQ with its
    /// key, B3.2.6). An emulator that does not restart ends then.
    static func off(status: UInt32) -> Never {
        Console.write(" status ")
        Console.write(decimal: status)
        Console.write("\n")
        UART.console.finishSending()
        Register(0xE000_ED0C).value = 0x05FA_0004
        synchronize()
        while true { wait_for_interrupt() }
    }
}

enum Console {
    static func write(_ text: StaticString) {
        var next = text.utf8Start
        for _ in 0..<text.utf8CodeUnitCount {
            UART.console.send(next.pointee)
            next += 1
        }
    }

    static func write(hexadecimal number: UInt32) {
        var rest = number
        for _ in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: rest &>> 28)
            UART.console.send(digit < 10 ? 0x30 + digit : 0x57 + digit)
            rest = rest &<< 4
        }
    }

    static func write(decimal number: UInt32) {
        var divisor: UInt32 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            UART.console.send(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
            divisor /= 10
        }
    }
}
