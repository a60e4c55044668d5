@testable import Emulator

/// A firmware that works through a list. It writes registers, and sleeps while it waits for events.
struct RegisterProgram {
    static let ram: UInt32 = 0x2000_0000
    private var words: [UInt32] = []

    mutating func write(_ word: UInt32, to address: UInt32) { words += [address, word] }

    /// Appends a wait: the firmware sleeps until the event register is not 0, and then clears it and all pending
    /// interrupts.
    mutating func wait(for event: UInt32) {
        words += [event | 1, 0]
        write(0, to: event)
        // ICPR.
        write(.max, to: 0xE000_E280)
    }

    /// The firmware's code, which reads the list with register 4. If an address in the list is odd, the firmware waits
    /// for the event register at that address minus 1. 0 ends the list.
    private static let code: [UInt16] = [
        0x4C07,  // ldr r4, list
        0xCC03,  // ldmia r4!, {r0, r1}
        0x2800,  // cmp r0, #0
        0xD009,  // beq rest
        0x0842,  // lsrs r2, r0, #1
        0xD201,  // bcs wait
        0x6001,  // str r1, [r0]
        0xE7F8,  // b the next entry
        0x3801,  // wait: subs r0, #1
        0x6802,  // ldr r2, [r0]
        0x2A00,  // cmp r2, #0
        0xD1F4,  // bne the next entry
        0xBF20,  // wfe
        0xE7FA,  // b the load
        0xBF20,  // rest: wfe
        0xE7FD,  // b rest
        0x0300, 0x0000,  // list: 0x300
    ]

    /// The raw image. The code is at 0x200, and the list at 0x300.
    var file: [UInt8] {
        var halfwords = [UInt16](repeating: 0, count: 0x180)
        for vector in 0..<54 { halfwords[2 * vector] = 0x0201 }
        (halfwords[0], halfwords[1]) = (0x0000, 0x2001)
        for (place, halfword) in RegisterProgram.code.enumerated() { halfwords[0x100 + place] = halfword }
        for word in words + [0, 0] { halfwords += [UInt16(truncatingIfNeeded: word), UInt16(word >> 16)] }
        return halfwords.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    var machine: Machine {
        get throws { Machine(try FirmwareImage(file), on: BoardDevices(.pineTime)) }
    }
}

extension RegisterProgram {
    /// A program that waits for a touch, and then draws once: 80 pixels of 18 bits with one SPI transfer.
    static var drawing: RegisterProgram {
        var program = touched
        program.send([0x2C], isData: false)
        for place in 0..<60 { program.write(0x4040_4040, to: ram + 4 * UInt32(place)) }
        program.send(count: 240, isData: true)
        return program
    }

    /// A program that starts SPI and GPIOTE, and then waits for a touch.
    static var touched: RegisterProgram {
        var program = RegisterProgram()
        // SEVONPEND.
        program.write(0x10, to: 0xE000_ED10)
        // CS 25, D/C 18 and reset 26 are outputs, CS and D/C low.
        program.write(1 << 25 | 1 << 18 | 1 << 26, to: 0x5000_0518)
        program.write(1 << 26, to: 0x5000_0508)
        // SPIM0 on the pins 2 and 3 with 8 MHz, its interrupt at END.
        program.write(2, to: 0x4000_3508)
        program.write(3, to: 0x4000_350C)
        program.write(0x8000_0000, to: 0x4000_3524)
        program.write(7, to: 0x4000_3500)
        program.write(1 << 6, to: 0x4000_3304)
        program.write(ram, to: 0x4000_3544)
        // GPIOTE channel 0: a falling edge of pin 28, an input with a pull-up.
        program.write(3 << 2, to: 0x5000_0770)
        program.write(1 | 28 << 8 | 2 << 16, to: 0x4000_6510)
        program.write(1, to: 0x4000_6304)
        // The touch controller's reset is high.
        program.write(1 << 10, to: 0x5000_0518)
        program.write(1 << 10, to: 0x5000_0508)
        program.wait(for: 0x4000_6100)
        return program
    }

    private mutating func send(_ bytes: [UInt8], isData: Bool) {
        write(bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }, to: RegisterProgram.ram)
        send(count: bytes.count, isData: isData)
    }

    private mutating func send(count: Int, isData: Bool) {
        write(1 << 18, to: isData ? 0x5000_0508 : 0x5000_050C)
        write(UInt32(count), to: 0x4000_3548)
        write(1, to: 0x4000_3010)
        wait(for: 0x4000_3118)
    }
}
