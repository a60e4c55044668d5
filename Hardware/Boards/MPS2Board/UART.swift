import BoardSupport
import CCortexM

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
    /// Touch, buttons and the haptic driver, and the measuring bench.
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

    /// Also enables an interrupt for each byte that comes.
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

    /// For the interrupt handler. The interrupt is cleared before the byte is taken, or the interrupt of a byte that
    /// follows at once would be lost.
    func receive() -> UInt8? {
        guard state.value & UART.receiverFull != 0 else { return nil }
        interruptStatus.value = UART.receiveInterrupt
        return UInt8(truncatingIfNeeded: data.value)
    }
}

/// Bytes on their way from a port's interrupt handler to the main program: one writes, the other reads.
///
/// It is an address, not a variable: the linker script has the memory, two words and then the bytes, all zero at the
/// start. Each word has one writer, so no interrupt must be masked. The counts only grow, and wrap.
///
/// While it is full the port's interrupt is off, and the next byte stays in the port. The sender sees a line that is
/// not clear to send.
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

    /// In bytes, a power of two, as memory.ld has it.
    private static var capacity: UInt32 { 256 }

    private var written: Register { Register(base) }
    private var read: Register { Register(base + 4) }

    private func byte(_ count: UInt32) -> SharedByte {
        SharedByte(base + 8 + UInt(count & (ReceiveRing.capacity - 1)))
    }

    var received: UInt32 { written.value }

    var isEmpty: Bool { written.value == read.value }

    var isFull: Bool { written.value &- read.value == ReceiveRing.capacity }

    /// Takes bytes from the port while there is room. For the interrupt handler.
    package func fill() {
        while !isFull {
            guard let new = port.receive() else { return }
            let count = written.value
            byte(count).value = new
            written.value = count &+ 1
        }
        Interrupts.disable(line)
    }

    /// For the main program.
    func next() -> UInt8? {
        let count = read.value
        guard count != written.value else { return nil }
        let oldest = byte(count).value
        read.value = count &+ 1
        // After the step that makes room: the handler may have filled the ring just before it.
        if written.value &- count >= ReceiveRing.capacity { Interrupts.enable(line) }
        return oldest
    }
}

/// The interrupt controller (ARMv7-M Architecture Reference Manual, B3.4).
enum Interrupts {
    /// Interrupts of this board that the firmware serves. Numbers from Arm application note 386, table 3-5.
    enum Line: UInt32 {
        case radioReceived = 2
        /// The alarm that ends a sleep.
        case alarm = 9
        case benchReceived = 18
    }

    /// Requests of a disabled line stay pending.
    static func disable(_ line: Line) {
        Register(0xE000_E180).value = 1 &<< line.rawValue
    }

    static func enable(_ line: Line) {
        Register(0xE000_E100).value = 1 &<< line.rawValue
    }
}
