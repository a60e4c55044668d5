/// The interrupt controller (ARMv7-M Architecture Reference Manual, B3.4).
enum Interrupts {
    /// Interrupts of this board that the firmware serves. Numbers from Arm application note 386, table 3-5.
    enum Line: UInt32 {
        /// A byte from the radio.
        case radioReceived = 2
        /// The alarm that ends a sleep.
        case alarm = 9
        /// A byte from the bench.
        case benchReceived = 18
    }

    /// Keeps `line` from interrupting the main program; what it asks for stays pending.
    static func disable(_ line: Line) {
        Register(0xE000_E180).value = 1 &<< line.rawValue
    }

    /// Lets `line` interrupt the main program.
    static func enable(_ line: Line) {
        Register(0xE000_E100).value = 1 &<< line.rawValue
    }
}
