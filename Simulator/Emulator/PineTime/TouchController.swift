/// The CST816S, at 0x15 on the I2C bus.
///
/// Sources: Hynitron, CST816S datasheet 1.3 (power modes; at rest after 2 s) and "CST816S register declaration" (units and
/// defaults); PINE64's page about the PineTime (identification, sleep); InfiniTime (gesture codes, register values). The
/// controller sees the finger only when it scans. It misses a finger that comes and goes between two scans.
///
/// Assumed: the controller answers 30 ms after a reset (firmware waits 50 ms), and scans every 40 ms at rest. A slide is at
/// least 30 pixels long, and a long press lasts at least a second. The two lifts of a double tap are at most 300 ms apart.
/// After a reset, all interrupts except the test interrupt are enabled.
///
/// Not modelled: the controller resets itself after a long touch (AutoReset and LongPressTime).
struct TouchController: Sendable {
    private enum Register {
        static let gesture = 0x01, fingers = 0x02, xHigh = 0x03, xLow = 0x04, yHigh = 0x05, yLow = 0x06
        static let sleep = 0xA5, otherSleep = 0xE5, identification = 0xA7
        static let motionMask = 0xEC, pulseWidth = 0xED, scanPeriod = 0xEE
        static let autoSleepTime = 0xF9, interrupts = 0xFA, autoReset = 0xFB, longPressTime = 0xFC, staysAwake = 0xFE
    }

    private enum Gesture: UInt8 {
        case none = 0, slideDown, slideUp, slideLeft, slideRight, tap
        case doubleTap = 0x0B, longPress = 0x0C
    }

    /// What happened to the finger, in the upper bits of `xHigh`.
    private enum Event: UInt8 {
        case down = 0x00, up = 0x40, contact = 0x80
    }

    private enum Power: Equatable {
        case held
        /// The controller scans from this cycle on.
        case running(from: UInt64)
        /// Asleep until a reset.
        case asleep
    }

    private enum Finger: Equatable {
        case away
        case down(x: Int, y: Int)
    }

    private enum Contact: Equatable {
        case none(lastTap: UInt64?)
        case touching(since: UInt64, x: Int, y: Int, gesture: Gesture, lastTap: UInt64?)
    }

    private enum Line: Equatable {
        case high
        case low(until: UInt64)
    }

    private static let slidePixels = 30
    private static let longPress = UInt64.milliseconds(1_000)
    private static let restingScan = UInt64.milliseconds(40)

    private var registers = TouchController.defaults
    private var pointer = 0
    private var power = Power.running(from: .milliseconds(30))
    private var finger = Finger.away
    private var contact = Contact.none(lastTap: nil)
    /// The cycle of the last simulated scan or of the controller's start, whichever is later. Once AutoSleepTime has passed
    /// since this cycle, the controller rests.
    private var lastTouch = UInt64.milliseconds(30)
    private var nextScan = UInt64.max
    private var line = Line.high
    private(set) var lastEdge: UInt64?

    private static let defaults: [UInt8] = {
        var registers = [UInt8](repeating: 0, count: 256)
        // The numbers of chip, project and firmware in the PineTime's controllers.
        registers.replaceSubrange(Register.identification..<Register.identification + 3, with: [0xB4, 0x00, 0x01])
        registers[Register.pulseWidth] = 10
        registers[Register.scanPeriod] = 1
        registers[Register.autoSleepTime] = 2
        registers[Register.interrupts] = 0x70
        // These two are in seconds.
        registers[Register.autoReset] = 5
        registers[Register.longPressTime] = 10
        return registers
    }()

    // MARK: Lines

    /// The level of the interrupt line; nil while the reset line is low.
    var interruptLevel: Bool? { power == .held ? nil : line == .high }

    mutating func setReset(low: Bool, at cycle: UInt64) {
        if low, power != .held {
            (power, line, nextScan) = (.held, .high, .max)
            contact = .none(lastTap: nil)
        } else if !low, power == .held {
            (registers, power) = (TouchController.defaults, .running(from: cycle + .milliseconds(30)))
            lastTouch = cycle + .milliseconds(30)
            scheduleScan(after: cycle)
        }
    }

    var due: UInt64 {
        switch line {
        case .high: nextScan
        case .low(let end): min(end, nextScan)
        }
    }

    mutating func advance(to cycle: UInt64) {
        while due <= cycle {
            let now = due
            if case .low(let end) = line, end == now { line = .high }
            if nextScan == now { scan(at: now) }
        }
    }

    // MARK: Finger

    var hasFinger: Bool { finger != .away }

    mutating func put(x: Int, y: Int, at cycle: UInt64) {
        finger = .down(x: x, y: y)
        if nextScan == .max { scheduleScan(after: cycle) }
    }

    mutating func lift() { finger = .away }

    private var scanPeriod: UInt64 { .milliseconds(10) * UInt64(max(registers[Register.scanPeriod], 1)) }

    private func isResting(at cycle: UInt64) -> Bool {
        guard nextScan == .max, registers[Register.staysAwake] == 0 else { return false }
        return cycle >= lastTouch + .milliseconds(1_000) * UInt64(registers[Register.autoSleepTime])
    }

    /// Plans the first scan if a finger is on the panel. The method `scan` plans the later scans while the finger stays.
    private mutating func scheduleScan(after cycle: UInt64) {
        guard case .running(let start) = power, finger != .away else { return }
        let period = isResting(at: cycle) ? TouchController.restingScan : scanPeriod
        nextScan = cycle <= start ? start : start + (cycle - start + period - 1) / period * period
    }

    private mutating func scan(at cycle: UInt64) {
        lastTouch = cycle
        nextScan = cycle + scanPeriod
        switch (finger, contact) {
        case (.away, .none): nextScan = .max
        case (.down(let x, let y), .none(let lastTap)):
            contact = .touching(since: cycle, x: x, y: y, gesture: .none, lastTap: lastTap)
            report(.down, x: x, y: y, gesture: .none, reasons: 0x60, at: cycle)
        case (.down(let x, let y), .touching(let start, let startX, let startY, let earlier, let lastTap)):
            let gesture = gesture(to: x, y, from: startX, startY, lasting: cycle - start, earlier: earlier)
            contact = .touching(since: start, x: startX, y: startY, gesture: gesture, lastTap: lastTap)
            report(.contact, x: x, y: y, gesture: gesture, reasons: gesture == earlier ? 0x40 : 0x50, at: cycle)
        case (.away, .touching(_, _, _, let gesture, let lastTap)):
            nextScan = .max
            lift(after: gesture, lastTap: lastTap, at: cycle)
        }
    }

    private func gesture(
        to x: Int, _ y: Int, from startX: Int, _ startY: Int, lasting cycles: UInt64, earlier: Gesture
    ) -> Gesture {
        guard earlier == .none else { return earlier }
        let (right, down) = (x - startX, y - startY)
        if max(abs(right), abs(down)) >= TouchController.slidePixels {
            guard abs(right) > abs(down) else { return down > 0 ? .slideDown : .slideUp }
            return right > 0 ? .slideRight : .slideLeft
        }
        return cycles >= TouchController.longPress ? .longPress : .none
    }

    private mutating func lift(after gesture: Gesture, lastTap: UInt64?, at cycle: UInt64) {
        let isDouble =
            registers[Register.motionMask] & 1 != 0 && lastTap.map { cycle <= $0 + .milliseconds(300) } ?? false
        let final = gesture != .none ? gesture : isDouble ? .doubleTap : .tap
        contact = .none(lastTap: final == .tap ? cycle : nil)
        // The controller reports the last position of the finger.
        let x = Int(registers[Register.xHigh] & 15) << 8 | Int(registers[Register.xLow])
        let y = Int(registers[Register.yHigh]) << 8 | Int(registers[Register.yLow])
        report(.up, x: x, y: y, gesture: final, reasons: gesture == final ? 0x20 : 0x30, at: cycle)
    }

    /// - Parameter reasons: why the controller reports: 0x40 touch, 0x20 change, 0x10 gesture. The interrupt line falls only if
    ///   one of these bits is set in the register `interrupts`.
    private mutating func report(_ event: Event, x: Int, y: Int, gesture: Gesture, reasons: UInt8, at cycle: UInt64) {
        registers[Register.gesture] = gesture.rawValue
        registers[Register.fingers] = event == .up ? 0 : 1
        registers[Register.xHigh] = event.rawValue | UInt8(x >> 8)
        registers[Register.xLow] = UInt8(x & 0xFF)
        registers[Register.yHigh] = UInt8(y >> 8)
        registers[Register.yLow] = UInt8(y & 0xFF)
        guard registers[Register.interrupts] & reasons != 0 else { return }
        if line == .high { lastEdge = cycle }
        // The register gives the pulse in units of 0.1 ms.
        line = .low(until: cycle + .microseconds(100) * UInt64(max(registers[Register.pulseWidth], 1)))
    }

    // MARK: Bus

    /// Whether the controller acknowledges its address. False during a reset, in sleep and at rest.
    func answers(at cycle: UInt64) -> Bool {
        guard case .running(let start) = power else { return false }
        return cycle >= start && !isResting(at: cycle)
    }

    mutating func point(to register: UInt8) { pointer = Int(register) }

    mutating func read() -> UInt8 {
        defer { pointer = (pointer + 1) & 0xFF }
        return registers[pointer]
    }

    mutating func write(_ byte: UInt8) {
        switch pointer {
        case Register.sleep, Register.otherSleep:
            if byte == 3 { (power, nextScan, line, contact) = (.asleep, .max, .high, .none(lastTap: nil)) }
        case Register.motionMask...Register.staysAwake: registers[pointer] = byte
        case _: break
        }
        pointer = (pointer + 1) & 0xFF
    }
}
