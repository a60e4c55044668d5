import BoardSupport
import CCortexM

/// Ends a program that cannot continue: says why on the console, and resets the part.
package enum FaultReport {
    /// Prints what happened, and the registers then. A trap of the Swift runtime (an index out of range, an overflow)
    /// is a usage fault; `pc` tells where.
    package static func report(_ what: StaticString) -> Never {
        // After a stack overflow, the registers are in the guarded memory.
        MemoryGuard.disable()
        let frame = UInt(process_stack_pointer())
        Console.write(what)
        write(" pc ", frame + 24)
        write(" lr ", frame + 20)
        write(" r0 ", frame)
        write(" r1 ", frame + 4)
        write(" r2 ", frame + 8)
        write(" r3 ", frame + 12)
        // Configurable fault status, hard fault status, and the address that a memory fault was about (ARMv7-M, B3.2).
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

/// Checks a condition that only a bug of this board can break. Prints its place and resets the part.
func check(_ condition: Bool, _ what: StaticString, file: StaticString = #fileID) {
    if condition { return }
    Console.write(file)
    Console.write(": ")
    Console.write(what)
    Console.write("\n")
    Part.reset()
}

/// Text for people, as SEGGER RTT has it: a ring in RAM, which a debugger finds by the name in front. No bytes are lost to a pin.
enum Console {
    private static var control: UInt { SharedMemory.address(of: .console) }
    /// The control block: its name in 16 bytes, one ring up, none down; then the ring's name, text, size, the two places, flags.
    private static var end: Register { Register(control + 36) }

    /// The name is written last, so that a debugger finds a whole block.
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

    /// Writes a number as eight hexadecimal digits.
    static func write(hexadecimal number: UInt32) {
        var rest = number
        for _ in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: rest &>> 28)
            write(digit < 10 ? 0x30 + digit : 0x57 + digit)
            rest = rest &<< 4
        }
    }
}
