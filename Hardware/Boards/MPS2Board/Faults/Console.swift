enum Console {
    static func write(_ text: StaticString) {
        var next = text.utf8Start
        for _ in 0..<text.utf8CodeUnitCount {
            UART.console.send(next.pointee)
            next += 1
        }
    }

    /// Writes a number as eight hexadecimal digits.
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
