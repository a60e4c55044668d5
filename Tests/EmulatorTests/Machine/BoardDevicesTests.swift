import Testing

@testable import Emulator

struct BoardDevicesTests {
    @Test("The motor runs while its pin is low, and the log has its starts and stops")
    func motor() {
        var bench = BoardBench()
        bench.set(16, true)
        bench.wait(milliseconds: 1)
        bench.set(16, false)
        bench.wait(milliseconds: 34)
        bench.set(16, true)
        bench.wait(milliseconds: 1)
        bench.set(16, false)
        let millisecond: UInt64 = 64_000
        let edges: [Motor.Edge] = [
            .started(at: millisecond), .stopped(at: 35 * millisecond), .started(at: 36 * millisecond),
        ]
        #expect(bench.board.motor.takeEdges() == edges)
        #expect(bench.board.motor.takeEdges().isEmpty)
        bench.wait(milliseconds: 2)
        #expect(bench.board.motor.load.cyclesOn(at: bench.now) == 36 * 64_000)
    }

    @Test("The PineTime's button has the level of its supply while it is pressed")
    func button() throws {
        var bench = BoardBench()
        try bench.board.apply(.press(.side), at: 0)
        #expect(bench.level(13) == nil)
        bench.set(15, true)
        #expect(bench.level(13) == true)
        try bench.board.apply(.release(.side), at: 0)
        #expect(bench.level(13) == nil)
    }

    @Test(
        "Two pins tell the charger's state",
        arguments: [
            (.unplugged, true, true), (.charging, false, false), (.full, true, false),
        ] as [(Charger, Bool, Bool)])
    func charger(state: Charger, charging: Bool, power: Bool) throws {
        var bench = BoardBench()
        try bench.board.apply(.charger(state), at: 0)
        #expect(bench.level(12) == charging)
        #expect(bench.level(19) == power)
    }

    @Test("The analog input has half of the battery's voltage", arguments: [(0, 1_750), (48, 1_888), (100, 2_090)])
    func battery(percent: Int, millivolts: Int) throws {
        var bench = BoardBench()
        try bench.board.apply(.battery(percent: percent), at: 0)
        #expect(bench.board.millivolts(of: 7) == millivolts)
        #expect(bench.board.millivolts(of: 0) == 0)
    }

    @Test("More charge is more voltage")
    func curve() throws {
        var bench = BoardBench()
        var voltages: [Int] = []
        for percent in 0...100 {
            try bench.board.apply(.battery(percent: percent), at: 0)
            voltages.append(bench.board.battery.millivolts)
        }
        #expect(zip(voltages, voltages.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("An impossible charge, and a crown that the board has not, are refused")
    func refusals() {
        var bench = BoardBench()
        #expect(throws: EmulatorError.charge(101)) { try bench.board.apply(.battery(percent: 101), at: 0) }
        #expect(throws: EmulatorError.noCrown) { try bench.board.apply(.press(.crown), at: 0) }
        #expect(throws: EmulatorError.noCrown) { try bench.board.apply(.turnCrown(detents: 1), at: 0) }
        #expect(throws: EmulatorError.motion) {
            try bench.board.apply(.motion(.acceleration(x: 0, y: 0, z: 16_001)), at: 0)
        }
        #expect(throws: EmulatorError.motion) { try bench.board.apply(.motion(.steps(-1)), at: 0) }
    }

    @Test(
        "A device that is absent does not acknowledge its address",
        arguments: [(0x15, .touch), (0x18, .accelerometer)] as [(UInt8, BoardParts)])
    func absent(address: UInt8, part: BoardParts) {
        var bench = BoardBench()
        bench.wait(milliseconds: 50)
        #expect(bench.read(address, 0, count: 1) != nil)
        bench.board.absent = part
        #expect(bench.read(address, 0, count: 1) == nil)
        #expect(bench.read(0x50, 0, count: 1) == nil)
    }

    @Test("The accelerometer takes its program, and then counts steps and sees the wrist")
    func accelerometer() throws {
        var bench = BoardBench()
        #expect(bench.read(0x18, 0, count: 1) == [0x13])
        bench.expectWrite(0x18, 0x7E, [0xB6])
        bench.expectWrite(0x18, 0x59, [0])
        bench.expectWrite(0x18, 0x5B, [0x08, 0x00])
        bench.expectWrite(0x18, 0x5E, [1, 2, 3])
        // Word 8 is byte 16.
        #expect(bench.read(0x18, 0x5E, count: 3) == [1, 2, 3])
        bench.expectWrite(0x18, 0x59, [1])
        #expect(bench.read(0x18, 0x2A, count: 1) == [0])
        bench.wait(milliseconds: 150)
        #expect(bench.read(0x18, 0x2A, count: 1) == [1])

        try bench.board.apply(.motion(.steps(300)), at: bench.now)
        #expect(bench.read(0x18, 0x1E, count: 4) == [44, 1, 0, 0])
        // Push-pull, high, on INT1, for the wrist.
        bench.expectWrite(0x18, 0x53, [0x0A])
        bench.expectWrite(0x18, 0x56, [0x08])
        #expect(bench.level(8) == false)
        try bench.board.apply(.motion(.tilt), at: bench.now)
        #expect(bench.level(8) == true)
        #expect(bench.read(0x18, 0x1C, count: 1) == [0x08])
        #expect(bench.level(8) == false)
    }

    @Test(
        "At rest 1 g is half of the range of 2 g",
        arguments: [(0, 0x4000), (1, 0x2000), (3, 0x0800)] as [(UInt8, Int)])
    func gravity(range: UInt8, expected: Int) throws {
        var bench = BoardBench()
        #expect(bench.read(0x18, 0x12, count: 6) == [0, 0, 0, 0, 0, 0])
        bench.expectWrite(0x18, 0x7D, [4])
        bench.expectWrite(0x18, 0x41, [range])
        #expect(bench.read(0x18, 0x16, count: 2) == [UInt8(expected & 0xFF), UInt8(expected >> 8)])
        try bench.board.apply(.motion(.acceleration(x: -1_000, y: 0, z: 0)), at: 0)
        let negative = -expected & 0xFFFF
        #expect(bench.read(0x18, 0x12, count: 2) == [UInt8(negative & 0xFF), UInt8(negative >> 8)])
    }

    @Test("A copy of a board does not change with it")
    func value() throws {
        var bench = BoardBench()
        bench.startPanel()
        let saved = bench.board
        bench.fill(0...0, 0...0, 0xFFFF)
        bench.flash([0x06])
        bench.flash([0x02, 0, 0, 0, 0])
        #expect(saved.picture.pixels[0] == 0)
        #expect(saved.flash.contents[0] == 0xFF)
        #expect(bench.board.flash.contents[0] == 0)
    }
}
