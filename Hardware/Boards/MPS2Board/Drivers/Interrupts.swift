import BoardSupport

/// The interrupt controller (ARMv7-M Architecture Reference Manual, B3.4).
enum Interrupts {
    /// Interrupts of this board that the firmware serves. Numbers from Arm application note 386, table 3-5.
    enum Line: UInt32 {
        case radioReceived = 2
        /// The alarm that ends a sleep.
        case alarm = 9
        case benchReceived = 18
    }

    /// Keeps `line` from interrupting the main program; what it asks for stays pending.
    static func disable(_ line: Line) {
        Register(0xE000_E180).value = 1 &<< line.rawValue
    }

    /// Enables the interrupt `line`.
    static func enable(_ line: Line) {
        Register(0xE000_E100).value = 1 &<< line.rawValue
    }
}
