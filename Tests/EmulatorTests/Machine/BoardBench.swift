import Testing

@testable import Emulator

/// A board without its microcontroller. The test drives the pins and buses in the microcontroller's place.
struct BoardBench {
    var board: BoardDevices
    var now: UInt64 = 0
    private var levels: UInt32 = 0
    private var outputs: UInt32 = 0
    /// Cycles of the 64 MHz core for each byte on SPI. 64 means 8 Mbit/s, or 1 us for each byte.
    var cyclesPerByte: UInt64 = 64

    init(_ model: BoardModel = .pineTime, flash: SerialFlash = SerialFlash()) {
        board = BoardDevices(model, flash: flash)
    }

    mutating func wait(milliseconds: UInt64) { wait(cycles: milliseconds * 64_000) }

    mutating func wait(cycles: UInt64) {
        now += cycles
        while board.due <= now { board.advance(to: board.due) }
    }

    mutating func set(_ pin: Int, _ high: Bool?) {
        let bit: UInt32 = 1 << UInt32(pin)
        outputs = high == nil ? outputs & ~bit : outputs | bit
        levels = high == true ? levels | bit : levels & ~bit
        board.outputsChanged(levels, outputs: outputs, at: now)
    }

    /// Returns whether the board drives the pin high; nil if the board does not drive it.
    func level(_ pin: Int) -> Bool? {
        board.inputs.driven >> UInt32(pin) & 1 == 0 ? nil : board.inputs.levels >> UInt32(pin) & 1 != 0
    }

    // MARK: SPI

    mutating func exchange(_ bytes: [UInt8]) -> [UInt8] {
        defer { now += UInt64(bytes.count) * cyclesPerByte }
        return board.exchange(bytes, at: now, cyclesPerByte: cyclesPerByte)
    }

    /// Sends a command to the flash chip. Returns the bytes that the chip sends meanwhile.
    @discardableResult
    mutating func flash(_ bytes: [UInt8]) -> [UInt8] {
        set(5, false)
        defer { set(5, true) }
        return exchange(bytes)
    }

    /// Sends a command and its parameters to the colour panel. A transfer has at most 255 bytes, the limit of the
    /// nRF52832's DMA.
    mutating func panel(_ command: UInt8, _ parameters: [UInt8] = []) {
        set(25, false)
        set(18, false)
        _ = exchange([command])
        set(18, true)
        panelData(parameters)
        set(25, true)
    }

    mutating func panelData(_ bytes: [UInt8]) {
        set(25, false)
        for start in stride(from: 0, to: bytes.count, by: 255) {
            _ = exchange([UInt8](bytes[start..<min(start + 255, bytes.count)]))
        }
        set(25, true)
    }

    /// Wakes the panel and switches it on, with 16 bits for each pixel. Inversion is on (0x21), so the panel shows the
    /// colours that are in its memory.
    mutating func startPanel() {
        panel(0x01)
        wait(milliseconds: 150)
        panel(0x11)
        wait(milliseconds: 120)
        panel(0x3A, [0x55])
        panel(0x21)
        panel(0x29)
        set(14, false)
    }

    mutating func fill(_ x: ClosedRange<Int>, _ y: ClosedRange<Int>, _ colour: UInt16) {
        panel(0x2A, words([x.lowerBound, x.upperBound]))
        panel(0x2B, words([y.lowerBound, y.upperBound]))
        panel(0x2C, (0..<x.count * y.count).flatMap { _ in [UInt8(colour >> 8), UInt8(colour & 0xFF)] })
    }

    func words(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }

    func pixel(_ x: Int, _ y: Int) -> UInt16 {
        let picture = board.picture
        return picture.pixels[y * picture.width + x]
    }

    // MARK: I2C

    mutating func expectWrite(_ address: UInt8, _ register: UInt8, _ bytes: [UInt8]) {
        let answers = board.start(address, reads: false, at: now)
        #expect(answers)
        for byte in [register] + bytes {
            let takes = board.take(byte, at: now)
            #expect(takes)
        }
        board.stop(at: now)
    }

    mutating func read(_ address: UInt8, _ register: UInt8, count: Int) -> [UInt8]? {
        defer { board.stop(at: now) }
        guard board.start(address, reads: false, at: now), board.take(register, at: now),
            board.start(address, reads: true, at: now)
        else { return nil }
        return (0..<count).map { _ in board.give(at: now) }
    }
}
