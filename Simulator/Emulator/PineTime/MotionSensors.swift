/// The BMA425, at 0x18 on the I2C bus.
///
/// Source: Bosch's driver for the BMA423 and BMA425, in the copy that InfiniTime contains. The driver gives the registers, the
/// identification, and the bits for interrupts and the step counter. The registers' values after a reset are assumed. Each
/// acceleration has 12 bits, in the upper bits of two bytes. The temperature is always 23 degrees Celsius. The FIFO and the
/// any-motion detector are not modelled.
struct Accelerometer: Sendable {
    private enum Register {
        static let identification = 0x00, status = 0x03, acceleration = 0x12, firstStatus = 0x1C
        static let steps = 0x1E, temperature = 0x22, internalStatus = 0x2A
        static let configuration = 0x40, range = 0x41, pinControl = 0x53, firstMap = 0x56
        static let start = 0x59, addressLow = 0x5B, addressHigh = 0x5C, features = 0x5E
        static let powerConfiguration = 0x7C, powerControl = 0x7D, command = 0x7E
    }

    /// The chip's engine, which detects steps and gestures. It runs a program that the firmware loads.
    private enum Engine: Equatable {
        case unloaded
        /// The engine runs from this cycle on: an assumed 140 ms after the firmware starts it. Bosch's driver waits 150 ms.
        case started(at: UInt64)
    }

    private static let tilt: UInt8 = 0x08, doubleTap: UInt8 = 0x10
    /// The offset of a byte in `program`, and the bit of this byte that clears the step counter.
    private static let stepSettings = 0x3B, stepReset: UInt8 = 0x04

    private var registers = Accelerometer.defaults
    private var program = [UInt8](repeating: 0, count: 6_144)
    private var engine = Engine.unloaded
    private var pointer = 0
    private var offset = 0
    private var steps: UInt32 = 0
    private var acceleration = (x: 0, y: 0, z: 1_000)

    private static let defaults: [UInt8] = {
        var registers = [UInt8](repeating: 0, count: 128)
        registers[Register.identification] = 0x13
        registers[Register.configuration] = 0xA8
        registers[Register.range] = 0x01
        registers[Register.powerConfiguration] = 0x03
        return registers
    }()

    /// The level of the interrupt pin INT1; nil while INT1_IO_CTRL does not make it an output.
    var interruptLevel: Bool? {
        let control = registers[Register.pinControl]
        guard control & 0x08 != 0 else { return nil }
        let isAsserted = registers[Register.firstStatus] & registers[Register.firstMap] != 0
        return isAsserted == (control & 0x02 != 0)
    }

    mutating func move(_ motion: WristMotion, at cycle: UInt64) throws(EmulatorError) {
        switch motion {
        case .acceleration(let x, let y, let z):
            guard [x, y, z].allSatisfy({ (-16_000...16_000).contains($0) }) else { throw .motion }
            acceleration = (x, y, z)
        case .steps(let count):
            guard count >= 0, count <= Int(UInt32.max - steps) else { throw .motion }
            if isRunning(at: cycle) { steps += UInt32(count) }
        case .tilt: if isRunning(at: cycle) { registers[Register.firstStatus] |= Accelerometer.tilt }
        case .doubleTap: if isRunning(at: cycle) { registers[Register.firstStatus] |= Accelerometer.doubleTap }
        }
    }

    private func isRunning(at cycle: UInt64) -> Bool {
        switch engine {
        case .unloaded: false
        case .started(let start): cycle >= start
        }
    }

    mutating func point(to register: UInt8) {
        pointer = Int(register & 0x7F)
        // The address registers count words of two bytes.
        offset = (Int(registers[Register.addressHigh]) << 4 | Int(registers[Register.addressLow] & 15)) * 2
    }

    mutating func read(at cycle: UInt64) -> UInt8 {
        guard pointer != Register.features else {
            defer { offset += 1 }
            return offset < program.count ? program[offset] : 0
        }
        defer { pointer = (pointer + 1) & 0x7F }
        switch pointer {
        case Register.status: return registers[Register.powerControl] & 0x04 != 0 ? 0x80 : 0
        case Register.acceleration..<Register.acceleration + 6: return accelerationByte(pointer - Register.acceleration)
        case Register.firstStatus:
            defer { registers[Register.firstStatus] = 0 }
            return registers[Register.firstStatus]
        case Register.steps..<Register.steps + 4:
            return UInt8(truncatingIfNeeded: steps >> UInt32(8 * (pointer - Register.steps)))
        // 0 stands for 23 degrees.
        case Register.temperature: return 0
        case Register.internalStatus: return isRunning(at: cycle) ? 1 : 0
        case _: return registers[pointer]
        }
    }

    private func accelerationByte(_ place: Int) -> UInt8 {
        guard registers[Register.powerControl] & 0x04 != 0 else { return 0 }
        let thousandths = [acceleration.x, acceleration.y, acceleration.z][place / 2]
        // Ranges of 2, 4, 8 and 16 g in 12 bits.
        let full = 2_000 << Int(registers[Register.range] & 3)
        let value = max(-2_048, min(2_047, thousandths * 2_048 / full)) << 4
        return UInt8(truncatingIfNeeded: place % 2 == 0 ? value : value >> 8)
    }

    mutating func write(_ byte: UInt8, at cycle: UInt64) {
        guard pointer != Register.features else {
            if offset < program.count { program[offset] = byte }
            if offset == Accelerometer.stepSettings, isRunning(at: cycle), byte & Accelerometer.stepReset != 0 {
                steps = 0
                program[offset] &= ~Accelerometer.stepReset
            }
            offset += 1
            return
        }
        switch pointer {
        case Register.command:
            if byte == 0xB6 {
                (registers, engine, steps) = (Accelerometer.defaults, .unloaded, 0)
            }
        case Register.start:
            registers[pointer] = byte
            engine = byte & 1 != 0 ? .started(at: cycle + .milliseconds(140)) : .unloaded
        case Register.configuration...Register.powerControl: registers[pointer] = byte
        case _: break
        }
        pointer = (pointer + 1) & 0x7F
    }
}
