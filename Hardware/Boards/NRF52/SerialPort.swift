import BoardSupport

/// The serial port to the phone: UARTE0 (chapter 35), 1 Mbit/s, 8 bits, no parity.
///
/// EasyDMA writes each received byte into a ring without the processor. While one byte arrives, the interrupt handler sets
/// EasyDMA's pointer for the byte after it. If the ring is full, received bytes are dropped, and the phone repeats the frame.
package enum SerialPort {
    private static var written: Register { SharedMemory.word(.serialWritten) }
    private static var read: Register { SharedMemory.word(.serialRead) }
    private static var next: Register { SharedMemory.word(.serialNext) }
    private static var left: Register { SharedMemory.word(.serialLeft) }
    private static var busy: Register { SharedMemory.word(.serialBusy) }
    private static var received: Register { Part.serial[0x110] }
    private static var sent: Register { Part.serial[0x120] }
    private static var started: Register { Part.serial[0x14C] }

    private static func place(_ number: UInt32) -> UInt {
        SharedMemory.serialBytes + UInt(number & (SharedMemory.serialCapacity - 1))
    }

    static func start() {
        Pin.serialOut.drive(true)
        Pin.serialIn.listen(.up)
        Part.serial[0x50C].value = Pin.serialOut.selection
        Part.serial[0x514].value = Pin.serialIn.selection
        Part.serial[0x524].value = 0x1000_0000
        Part.serial[0x500].value = 8
        // The end of one byte starts the reception of the next.
        Part.serial[0x200].value = 1 &<< 5
        Part.serial[0x304].value = 1 &<< 4 | 1 &<< 8
        Part.serial[0x534].value = UInt32(truncatingIfNeeded: place(0))
        Part.serial[0x538].value = 1
        started.value = 0
        Part.serial[0x000].value = 1
        while started.value == 0 {}
        Part.serial[0x534].value = UInt32(truncatingIfNeeded: place(1))
        Part.enable(.serial)
    }

    static var isEmpty: Bool { written.value == read.value }

    /// Removes and returns the oldest byte; nil if none waits. Called by the main program.
    static func take() -> UInt8? {
        let number = read.value
        guard number != written.value else { return nil }
        let oldest = SharedByte(place(number)).value
        read.value = number &+ 1
        return oldest
    }

    /// Waits until the previous bytes are sent, and starts to send these. `bytes` must not change until `finish` returns.
    static func send(_ bytes: UnsafeRawPointer, count: Int) {
        finish()
        next.value = UInt32(truncatingIfNeeded: UInt(bitPattern: bytes))
        left.value = UInt32(truncatingIfNeeded: count)
        busy.value = 1
        startPart()
    }

    static func finish() {
        while busy.value != 0 { Part.sleep(if: { busy.value != 0 }) }
    }

    private static func startPart() {
        let count = min(left.value, 255)
        Part.serial[0x544].value = next.value
        Part.serial[0x548].value = count
        next.value = next.value &+ count
        left.value = left.value &- count
        Part.serial[0x008].value = 1
    }

    package static func handle() {
        if received.value != 0 {
            received.value = 0
            let number = written.value
            // EasyDMA owns two positions: the byte that arrives, and the next.
            let isFull = number &- read.value >= SharedMemory.serialCapacity - 3
            let latest = isFull ? number : number &+ 1
            written.value = latest
            Part.serial[0x534].value = UInt32(truncatingIfNeeded: place(latest &+ 1))
        }
        if sent.value != 0 {
            sent.value = 0
            if left.value == 0 { busy.value = 0 } else { startPart() }
        }
    }
}
