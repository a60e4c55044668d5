import BoardSupport

/// A serial port: the UART of the Cortex-M System Design Kit (Arm DDI 0479, section 4.4).
package struct UART {
    private let base: UInt

    private init(base: UInt) {
        self.base = base
    }

    /// Text for people: faults and failed checks. Addresses from Arm application note 386, table 3-2.
    package static var console: UART { UART(base: 0x4000_4000) }
    /// The link to the phone.
    static var radio: UART { UART(base: 0x4000_5000) }
    /// The display, which only listens.
    static var panel: UART { UART(base: 0x4000_6000) }
    /// Touch, buttons and the haptic driver; and whoever measures the watch.
    static var bench: UART { UART(base: 0x4000_7000) }

    private var data: Register { Register(base) }
    private var state: Register { Register(base + 4) }
    private var control: Register { Register(base + 8) }
    private var interruptStatus: Register { Register(base + 12) }
    private var divider: Register { Register(base + 16) }

    private static var transmitterFull: UInt32 { 1 }
    private static var receiverFull: UInt32 { 2 }
    private static var enableTransmitter: UInt32 { 1 }
    private static var enableReceiver: UInt32 { 2 | 8 }
    private static var receiveInterrupt: UInt32 { 2 }

    /// Enables sending. The divider is the smallest that the port takes: 25 MHz / 16.
    package func enableSending() {
        divider.value = 16
        control.value = UART.enableTransmitter
    }

    /// Enables sending, and an interrupt for each byte that comes.
    func enable() {
        divider.value = 16
        control.value = UART.enableTransmitter | UART.enableReceiver
    }

    /// Sends a byte; waits for room first.
    func send(_ byte: UInt8) {
        finishSending()
        data.value = UInt32(byte)
    }

    /// Waits until the last byte has left.
    func finishSending() {
        while state.value & UART.transmitterFull != 0 {}
    }

    /// The byte that has come, or nil. Called by the interrupt handler: the interrupt is cleared before the byte is taken, or
    /// the interrupt of a byte that follows at once is lost.
    func receive() -> UInt8? {
        guard state.value & UART.receiverFull != 0 else { return nil }
        interruptStatus.value = UART.receiveInterrupt
        return UInt8(truncatingIfNeeded: data.value)
    }
}
