import BoardSupport
import CCortexM

/// Ends a program that cannot continue: prints the reason on the console, and resets the nRF52832.
package enum FaultReport {
    /// Prints the reason and the registers that the exception saved, and resets the nRF52832. Only exception handlers call
    /// this. A Swift trap (an index out of range, an overflow) is a usage fault, and `pc` is its address.
    package static func report(_ what: StaticString) -> Never {
        // After a stack overflow, the saved registers lie in guarded memory.
        MemoryGuard.disable()
        let frame = UInt(process_stack_pointer())
        Console.write(what)
        write(" pc ", frame + 24)
        write(" lr ", frame + 20)
        write(" r0 ", frame)
        write(" r1 ", frame + 4)
        write(" r2 ", frame + 8)
        write(" r3 ", frame + 12)
        // Configurable fault status, hard fault status, and the address that caused a memory fault (ARMv7-M, B3.2).
        write(" cfsr ", 0xE000_ED28)
        write(" hfsr ", 0xE000_ED2C)
        write(" mmfar ", 0xE000_ED34)
        Console.write("\n")
        Part.reset()
    }

    private static func write(_ name: StaticString, _ address: UInt) {
        Console.write(name)
        Console.write(hexadecimal: Register(address).value)
    }
}

/// If a condition is false, prints the file and the text, and resets the nRF52832. A false condition is a bug in the firmware.
func check(_ condition: Bool, _ what: StaticString, file: StaticString = #fileID) {
    if condition { return }
    Console.write(file)
    Console.write(": ")
    Console.write(what)
    Console.write("\n")
    Part.reset()
}

/// Writes debug text to a SEGGER RTT ring in RAM. A debugger finds the ring by the name that begins its control block.
enum Console {
    private static var control: UInt { SharedMemory.address(of: .console) }
    /// The ring's write position, as an offset in bytes. The control block begins with the name that a debugger searches for
    /// (16 bytes). Eight words follow. The first is the number of rings that the debugger reads, which is 1. The second is the
    /// number of rings that the debugger writes, which is 0. The other six describe the ring: address of its name, address of
    /// its text, size, write position, read position, flags.
    private static var end: Register { Register(control + 36) }

    /// Fills in the control block, its name last. So the block is complete when a debugger finds the name.
    static func start() {
        Register(control + 16).value = 1
        Register(control + 28).value = UInt32(truncatingIfNeeded: SharedMemory.consoleText)
        Register(control + 32).value = SharedMemory.consoleSize
        let name: StaticString = "SEGGER RTT"
        for index in 0..<name.utf8CodeUnitCount { SharedByte(control + UInt(index)).value = name.utf8Start[index] }
    }

    static func write(_ byte: UInt8) {
        let place = end.value
        SharedByte(SharedMemory.consoleText + UInt(place)).value = byte
        end.value = place &+ 1 < SharedMemory.consoleSize ? place &+ 1 : 0
    }

    static func write(_ text: StaticString) {
        var next = text.utf8Start
        for _ in 0..<text.utf8CodeUnitCount {
            write(next.pointee)
            next += 1
        }
    }

    static func write(hexadecimal number: UInt32) {
        var rest = number
        for _ in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: rest &>> 28)
            write(digit < 10 ? 0x30 + digit : 0x57 + digit)
            rest = rest &<< 4
        }
    }
}
