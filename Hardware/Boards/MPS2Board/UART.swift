import BoardSupport
import CCortexM

/// A serial port: the UART of the Cortex-M System Design Kit (Arm DDI 0479, section 4.4).
package struct UART {
    private let base: UInt

    private init(base: UInt) {
        self.base = base
    }

    /// The port for text about faults and failed checks. The addresses are from Arm application note 386, table 3-2.
    package static var console: UART { UART(base: 0x4000_4000) }
    /// The port to the phone.
    static var radio: UART { UART(base: 0x4000_5000) }
    /// The port to the display. Nothing comes back on it.
    static var panel: UART { UART(base: 0x4000_6000) }
    /// The port to the bench, which has the touch panel, buttons and haptic driver, and measures the watch.
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

    /// Enables sending, with the smallest divider that the port takes: 25 MHz / 16.
    package func enableSending() {
        divider.value = 16
        control.value = UART.enableTransmitter
    }

    /// Enables sending and receiving, with an interrupt for each byte that comes in.
    func enable() {
        divider.value = 16
        control.value = UART.enableTransmitter | UART.enableReceiver
    }

    /// Waits for room, and sends a byte.
    func send(_ byte: UInt8) {
        finishSending()
        data.value = UInt32(byte)
    }

    /// Waits until the last byte has been sent.
    func finishSending() {
        while state.value & UART.transmitterFull != 0 {}
    }

    /// Takes a received byte; nil if there is none. The interrupt handler calls this. It clears the interrupt before it takes
    /// the byte; otherwise the interrupt of a byte that follows at once would be lost.
    func receive() -> UInt8? {
        guard state.value & UART.receiverFull != 0 else { return nil }
        interruptStatus.value = UART.receiveInterrupt
        return UInt8(truncatingIfNeeded: data.value)
    }
}

/// A buffer between a port's interrupt handler, which writes bytes, and the main program, which reads them.
///
/// This value is only an address. The linker script reserves the memory: two words and then the bytes, all zero at the start.
/// Each word has one writer, so no interrupt need be masked. The counts only grow, and wrap around.
///
/// While the buffer is full, the port's interrupt is off, and the next byte stays in the port. The sender then sees that the
/// line is not clear to send.
package struct ReceiveRing {
    private let base: UInt
    private let port: UART
    private let line: Interrupts.Line

    package static var radio: ReceiveRing {
        ReceiveRing(base: UInt(address_of_radio_ring()), port: .radio, line: .radioReceived)
    }
    package static var bench: ReceiveRing {
        ReceiveRing(base: UInt(address_of_bench_ring()), port: .bench, line: .benchReceived)
    }

    /// The size in bytes: a power of two, as in memory.ld.
    private static var capacity: UInt32 { 256 }

    private var written: Register { Register(base) }
    private var read: Register { Register(base + 4) }

    private func byte(_ count: UInt32) -> SharedByte {
        SharedByte(base + 8 + UInt(count & (ReceiveRing.capacity - 1)))
    }

    var received: UInt32 { written.value }

    var isEmpty: Bool { written.value == read.value }

    var isFull: Bool { written.value &- read.value == ReceiveRing.capacity }

    /// Takes bytes from the port while there is room. The interrupt handler calls this.
    package func fill() {
        while !isFull {
            guard let new = port.receive() else { return }
            let count = written.value
            byte(count).value = new
            written.value = count &+ 1
        }
        Interrupts.disable(line)
    }

    /// Takes the oldest byte; nil if there is none. The main program calls this.
    func next() -> UInt8? {
        let count = read.value
        guard count != written.value else { return nil }
        let oldest = byte(count).value
        read.value = count &+ 1
        // This comes after the step that makes room, because the handler may have filled the buffer just before it.
        if written.value &- count >= ReceiveRing.capacity { Interrupts.enable(line) }
        return oldest
    }
}

/// The interrupt controller (ARMv7-M Architecture Reference Manual, B3.4).
enum Interrupts {
    /// The interrupts that the firmware handles. The numbers are from Arm application note 386, table 3-5.
    enum Line: UInt32 {
        case radioReceived = 2
        /// The timer that ends a sleep.
        case alarm = 9
        case benchReceived = 18
    }

    /// Disables an interrupt. If it is raised, it stays pending.
    static func disable(_ line: Line) {
        Register(0xE000_E180).value = 1 &<< line.rawValue
    }

    static func enable(_ line: Line) {
        Register(0xE000_E100).value = 1 &<< line.rawValue
    }
}
