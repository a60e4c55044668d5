import BoardSupport
import Watch

/// The vibration motor. It has only one strength, so patterns differ in the number and length of their pulses. An alarm of
/// `RealTimeClock` ends each pulse and begins the next.
enum Motor {
    private static var pulses: Register { SharedMemory.word(.motorPulses) }
    private static var length: Register { SharedMemory.word(.motorLength) }

    static func start() {
        Pin.motor.drive(true)
    }

    static func play(_ pattern: HapticPattern) {
        let (count, milliseconds): (UInt32, UInt32) =
            switch pattern {
            case .click: (1, 40)
            case .success: (2, 60)
            case .failure: (1, 250)
            }
        length.value = milliseconds &* RealTimeClock.ticksPerSecond / 1_000
        pulses.value = count
        Pin.motor.set(false)
        RealTimeClock.callMotor(after: length.value)
    }

    /// Begins or ends a pulse. Called by the clock's interrupt handler. The pause between two pulses is twice as long as a
    /// pulse.
    static func advance() {
        if Pin.motor.isOn {
            Pin.motor.set(true)
            pulses.value = pulses.value &- 1
            if pulses.value > 0 { RealTimeClock.callMotor(after: 2 &* length.value) }
        } else {
            Pin.motor.set(false)
            RealTimeClock.callMotor(after: length.value)
        }
    }
}

extension Pin {
    /// Whether the pin is low, which switches the motor on.
    fileprivate var isOn: Bool { Part.pins[0x504].value & mask == 0 }
}

/// The battery's voltage. The SAADC (chapter 37) measures half of it on AIN7.
enum Battery {
    /// Below this voltage, a pulse of the motor may reset the nRF52832.
    private static var lowMillivolts: UInt32 { 3_600 }

    static var isLow: Bool { measure() < lowMillivolts }

    @inline(never)
    private static func measure() -> UInt32 {
        let level = SharedMemory.word(.batteryLevel)
        // AIN7; gain 1/6, internal reference of 0.6 V, 40 us: 3.6 V reads as 4,096.
        Part.analog[0x510].value = 8
        Part.analog[0x518].value = 5 &<< 16
        Part.analog[0x5F0].value = 2
        Part.analog[0x62C].value = SharedMemory.dmaAddress(of: .batteryLevel)
        Part.analog[0x630].value = 1
        Part.analog[0x500].value = 1
        run(0x000, until: 0x100)
        run(0x004, until: 0x104)
        run(0x008, until: 0x114)
        Part.analog[0x500].value = 0
        // Noise around 0 V can read as negative.
        let reading = Int16(truncatingIfNeeded: level.value)
        return reading < 0 ? 0 : UInt32(reading) &* 7_200 / 4_096
    }

    private static func run(_ task: UInt, until event: UInt) {
        Part.analog[event].value = 0
        Part.analog[task].value = 1
        while Part.analog[event].value == 0 {}
    }
}
