import Testing

@testable import Emulator

/// The registers are from Hynitron's CST816S register declaration. The controller's first scan is 30 ms after power-on.
/// After that, the controller scans every 10 ms. So scans are at multiples of 10 ms here.
struct TouchControllerTests {
    private static let address: UInt8 = 0x15

    private func awake() -> BoardBench {
        var bench = BoardBench()
        bench.wait(milliseconds: 100)
        return bench
    }

    /// Reads a report of six bytes: gesture, number of fingers, x (two bytes), y (two bytes). The two bytes of
    /// x also hold the event, in their highest two bits.
    private func report(_ bench: inout BoardBench) -> [UInt8]? { bench.read(TouchControllerTests.address, 1, count: 6) }

    @Test("The controller says what it is, 30 ms after its reset")
    func identification() {
        var bench = BoardBench()
        #expect(bench.read(TouchControllerTests.address, 0xA7, count: 1) == nil)
        bench.wait(milliseconds: 30)
        #expect(bench.read(TouchControllerTests.address, 0xA7, count: 3) == [0xB4, 0, 1])
        bench.set(10, false)
        #expect(bench.read(TouchControllerTests.address, 0xA7, count: 1) == nil)
        #expect(bench.level(28) == nil)
        bench.set(10, true)
        bench.wait(milliseconds: 30)
        #expect(bench.read(TouchControllerTests.address, 0xA7, count: 1) == [0xB4])
    }

    @Test("A touch is reported at the next scan, with a low pulse of 1 ms, and again every 10 ms")
    func pulses() throws {
        var bench = awake()
        bench.wait(milliseconds: 3)
        try bench.board.apply(.touchDown(x: 200, y: 31), at: bench.now)
        #expect(bench.board.due == 110 * 64_000)
        bench.wait(milliseconds: 7)
        #expect(bench.level(28) == false)
        #expect(report(&bench) == [0, 1, 0, 200, 0, 31])
        bench.wait(cycles: 63_999)
        #expect(bench.level(28) == false)
        bench.wait(cycles: 1)
        #expect(bench.level(28) == true)
        bench.wait(milliseconds: 9)
        #expect(bench.level(28) == false)
        // The highest two bits are 2: the finger is still down.
        #expect(report(&bench) == [0, 1, 0x80, 200, 0, 31])
        try bench.board.apply(.touchUp, at: bench.now)
        bench.wait(milliseconds: 10)
        #expect(bench.level(28) == false)
        #expect(report(&bench) == [5, 0, 0x40, 200, 0, 31])
        bench.wait(milliseconds: 1)
        #expect(bench.board.due == .max)
    }

    @Test("A finger that comes and goes between two scans is missed")
    func missed() throws {
        var bench = awake()
        bench.wait(milliseconds: 1)
        try bench.board.apply(.touchDown(x: 1, y: 1), at: bench.now)
        bench.wait(milliseconds: 5)
        try bench.board.apply(.touchUp, at: bench.now)
        bench.wait(milliseconds: 30)
        #expect(report(&bench)?[1] == 0)
        #expect(bench.board.due == .max)
    }

    @Test(
        "Thirty pixels are a slide, of the direction in which they are most",
        arguments: [(120, 160, 1), (120, 80, 2), (80, 120, 3), (160, 130, 4)] as [(Int, Int, UInt8)])
    func slides(x: Int, y: Int, gesture: UInt8) throws {
        var bench = awake()
        try bench.board.apply(.touchDown(x: 120, y: 120), at: bench.now)
        bench.wait(milliseconds: 20)
        try bench.board.apply(.touchMove(x: x, y: y), at: bench.now)
        bench.wait(milliseconds: 10)
        #expect(report(&bench)?[0] == gesture)
        try bench.board.apply(.touchUp, at: bench.now)
        bench.wait(milliseconds: 10)
        #expect(report(&bench)?[0] == gesture)
    }

    @Test("A second is a long press")
    func longPress() throws {
        var bench = awake()
        try bench.board.apply(.touchDown(x: 9, y: 9), at: bench.now)
        bench.wait(milliseconds: 999)
        #expect(report(&bench)?[0] == 0)
        bench.wait(milliseconds: 10)
        #expect(report(&bench)?[0] == 0x0C)
    }

    @Test("Two taps are a double tap if the firmware asks for it", arguments: [(0, 5), (1, 0x0B)] as [(UInt8, UInt8)])
    func doubleTap(mask: UInt8, gesture: UInt8) throws {
        var bench = awake()
        bench.expectWrite(TouchControllerTests.address, 0xEC, [mask])
        for _ in 1...2 {
            try bench.board.apply(.touchDown(x: 9, y: 9), at: bench.now)
            bench.wait(milliseconds: 50)
            try bench.board.apply(.touchUp, at: bench.now)
            bench.wait(milliseconds: 50)
        }
        #expect(report(&bench)?[0] == gesture)
    }

    @Test("With interrupts for gestures only, a touch gives no pulse until it is a gesture")
    func gestureInterrupts() throws {
        var bench = awake()
        bench.expectWrite(TouchControllerTests.address, 0xFA, [0x10])
        try bench.board.apply(.touchDown(x: 9, y: 9), at: bench.now)
        bench.wait(milliseconds: 20)
        #expect(bench.level(28) == true)
        try bench.board.apply(.touchUp, at: bench.now)
        bench.wait(milliseconds: 10)
        #expect(bench.level(28) == false)
    }

    @Test("A controller that was sent to sleep neither answers nor sees a finger until a reset")
    func sleep() throws {
        var bench = awake()
        bench.expectWrite(TouchControllerTests.address, 0xA5, [3])
        #expect(report(&bench) == nil)
        try bench.board.apply(.touchDown(x: 9, y: 9), at: bench.now)
        bench.wait(milliseconds: 100)
        #expect(bench.level(28) == true)
        bench.set(10, false)
        bench.wait(milliseconds: 5)
        bench.set(10, true)
        bench.wait(milliseconds: 50)
        #expect(report(&bench)?[1] == 1)
    }

    @Test("Two seconds after the last touch the controller rests: it answers again once it has seen a finger")
    func rest() throws {
        var bench = awake()
        bench.wait(milliseconds: 1_929)
        #expect(report(&bench) != nil)
        bench.wait(milliseconds: 1)
        #expect(report(&bench) == nil)
        bench.wait(milliseconds: 1)
        try bench.board.apply(.touchDown(x: 9, y: 9), at: bench.now)
        // At rest it scans at 30 ms and every 40 ms from there: the next time at 2,070 ms.
        #expect(bench.board.due == 2_070 * 64_000)
        bench.wait(milliseconds: 40)
        #expect(report(&bench)?[1] == 1)
    }

    @Test("A controller that may not rest answers for ever")
    func staysAwake() {
        var bench = awake()
        bench.expectWrite(TouchControllerTests.address, 0xFE, [1])
        bench.wait(milliseconds: 10_000)
        #expect(report(&bench) != nil)
    }

    @Test(
        "A touch outside of the panel is refused in one line, and changes nothing",
        arguments: [(-1, 0), (0, -1), (240, 0), (0, 240)])
    func outside(x: Int, y: Int) {
        var bench = awake()
        let error = #expect(throws: EmulatorError.outsidePanel(x: x, y: y, width: 240, height: 240)) {
            try bench.board.apply(.touchDown(x: x, y: y), at: bench.now)
        }
        #expect(error.map { "\($0)" } == "a touch at \(x),\(y) is outside of the panel: use 0 to 239 and 0 to 239")
        #expect(bench.board.due == .max)
        #expect(throws: EmulatorError.noFinger) { try bench.board.apply(.touchUp, at: bench.now) }
        #expect(throws: EmulatorError.noFinger) { try bench.board.apply(.touchMove(x: 1, y: 1), at: bench.now) }
    }
}
