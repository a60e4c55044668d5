import BoardSupport
import WatchLink

/// The driver of the touch controller CST816S, which is on the two-wire bus TWIM1. Sources: nRF52832 Product Specification,
/// chapter 33; the register description of the CST816S.
///
/// For each report, the controller pulls its interrupt line low. The interrupt handler of that line starts to read the report.
/// When the read ends, TWIM1's interrupt handler queues the input. So a busy main program loses no touch, unless the queue is
/// full (`Inputs`).
package enum TouchController {
    private static var address: UInt32 { 0x15 }
    private static var stopped: Register { Part.twi[0x104] }
    private static var failed: Register { Part.twi[0x124] }

    /// The time between two scans, if the controller has seen no finger for `idle`. In the first 2 s (AutoSleepTime, 0xF9,
    /// default 2) the controller scans every 10 ms (NorScanPer, 0xEE, default 1). After that, the driver assumes 40 ms, as the
    /// device profiles do. No document gives this interval: LpScanFreq (0xF7), default 7, has no unit.
    static func scanInterval(after idle: Microseconds) -> Microseconds {
        idle < .seconds(2) ? .milliseconds(10) : .milliseconds(40)
    }

    static func start() {
        Pin.touchReset.drive(false)
        RealTimeClock.wait(milliseconds: 5)
        Pin.touchReset.set(true)
        RealTimeClock.wait(milliseconds: 50)
        Pin.twiData.share()
        Pin.twiClock.share()
        Part.twi[0x508].value = Pin.twiClock.selection
        Part.twi[0x50C].value = Pin.twiData.selection
        Part.twi[0x524].value = 0x0640_0000
        Part.twi[0x588].value = address
        Part.twi[0x500].value = 6
        // IrqCtl: report while a finger touches, and when it comes or goes.
        write(0xFA, 0x60)
        // Interrupt when a read ends, and on an error.
        Part.twi[0x304].value = 1 &<< 1 | 1 &<< 9
        Part.enable(.twi)
        Pin.touchInterrupt.watch(.up)
    }

    private static func write(_ register: UInt32, _ value: UInt32) {
        SharedMemory.word(.touchCommand).value = register | value &<< 8
        send(count: 2)
        // The shortcut LASTTX to STOP ends the transfer.
        Part.twi[0x200].value = 1 &<< 9
        Part.twi[0x008].value = 1
        // Without a controller, no byte is acknowledged. The error is then cleared, and the transfer stopped.
        while stopped.value == 0 {
            guard failed.value != 0 else { continue }
            failed.value = 0
            Part.twi[0x4C4].value = Part.twi[0x4C4].value
            Part.twi[0x014].value = 1
        }
        stopped.value = 0
    }

    private static func send(count: UInt32) {
        Part.twi[0x544].value = SharedMemory.dmaAddress(of: .touchCommand)
        Part.twi[0x548].value = count
    }

    /// Starts to read a report of six bytes. Called by the handler of the interrupt line. The bus transfers nine bytes at
    /// 400 kHz, which takes about 0.2 ms.
    static func read() {
        SharedMemory.word(.touchTicks).value = RealTimeClock.count
        // The read begins at the register of the gesture.
        SharedMemory.word(.touchCommand).value = 1
        send(count: 1)
        Part.twi[0x534].value = SharedMemory.dmaAddress(of: .touchReport)
        Part.twi[0x538].value = 6
        // Shortcuts: LASTTX starts the read, and LASTRX ends the transfer.
        Part.twi[0x200].value = 1 &<< 7 | 1 &<< 12
        Part.twi[0x008].value = 1
    }

    package static func handle() {
        if failed.value != 0 {
            failed.value = 0
            Part.twi[0x014].value = 1
        }
        guard stopped.value != 0 else { return }
        stopped.value = 0
        let errors = Part.twi[0x4C4].value
        if errors == 0 { keep() } else { Part.twi[0x4C4].value = errors }
    }

    /// Compares the report with the last known state of the finger. If they differ, queues a touch, a move or a lift.
    ///
    /// The report has six bytes. Bytes 0 and 1 are the gesture and the number of fingers. Byte 2 has the event in its bits 7
    /// and 6, and the highest four bits of x in its bits 3 to 0. Byte 3 has the other eight bits of x. Bytes 4 and 5 have y in
    /// the same way. The event is 0 when the finger comes down, 1 when the finger lifts, and 2 while the finger stays on the
    /// panel.
    private static func keep() {
        let low = SharedMemory.word(.touchReport).value
        let high = SharedMemory.word(.touchReportEnd).value
        let x = (low &>> 16 & 0xF) &<< 8 | low &>> 24
        let y = (high & 0xF) &<< 8 | high &>> 8 & 0xFF
        let isDown = low &>> 8 & 0xF != 0 && low &>> 22 & 3 != 1
        let finger = SharedMemory.word(.finger)
        let count = SharedMemory.word(.touchTicks).value
        let (before, now) = (finger.value, y &<< 12 | x)
        switch (isDown, before) {
        case (true, 0):
            Inputs.put(.touch, at: count, place: now)
            finger.value = now &+ 1
        case (true, _):
            guard now != before &- 1 else { return }
            Inputs.put(.moved, at: count, place: now)
            finger.value = now &+ 1
        case (false, 0): break
        case (false, _):
            // A report of a lift may lack the position, so the last one is used.
            Inputs.put(.lifted, at: count, place: before &- 1)
            finger.value = 0
        }
    }
}
