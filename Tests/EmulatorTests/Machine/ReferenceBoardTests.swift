import Testing

@testable import Emulator

/// The expected panel protocol is from Sharp's "Programming Sharp's Memory LCDs".
struct ReferenceBoardTests {
    /// Returns a board whose panel is on. The panel's bus runs at 1 MHz.
    private func started() -> BoardBench {
        var bench = BoardBench(.reference)
        bench.cyclesPerByte = 512
        bench.set(25, false)
        bench.set(26, true)
        return bench
    }

    private func send(_ bench: inout BoardBench, _ bytes: [UInt8]) {
        bench.set(25, true)
        _ = bench.exchange(bytes)
        bench.set(25, false)
    }

    /// Returns a line's address in the panel's protocol. Addresses begin at 1, and their lowest bit is sent first.
    private func address(_ line: Int) -> UInt8 {
        (0..<8).reduce(0) { $0 << 1 | UInt8((line + 1) >> $1 & 1) }
    }

    @Test("A line is written with its mode, address, pixels and a byte of time; 0 is black")
    func line() {
        var bench = started()
        let begin = bench.now
        let pixels: [UInt8] = [0x7F] + [UInt8](repeating: 0xFF, count: 16) + [0xFE]
        send(&bench, [0x80, address(5)] + pixels + [0, 0])
        #expect(bench.pixel(0, 5) == 0)
        #expect(bench.pixel(1, 5) == 0xFFFF)
        #expect(bench.pixel(143, 5) == 0)
        #expect(bench.board.picture.pixels.count { $0 == 0 } == 2)
        let write = bench.board.takePanelWrites().first
        #expect(write?.window == PanelArea(columns: 0...143, rows: 5...5))
        #expect(write?.last == begin + 21 * 512)
        #expect(write?.change?.area.columns == 0...143)
    }

    @Test("Several lines follow each other in one transfer, and the same pixels change nothing")
    func lines() {
        var bench = started()
        let black = [UInt8](repeating: 0, count: 18), white = [UInt8](repeating: 0xFF, count: 18)
        send(&bench, [0x80, address(167)] + black + [0, address(0)] + white + [0, 0])
        #expect(bench.pixel(70, 167) == 0)
        let writes = bench.board.takePanelWrites()
        #expect(writes.map { $0.window?.rows.lowerBound } == [167, 0])
        #expect(writes.map { $0.change == nil } == [false, true])
    }

    @Test("Two writes of a line are equal if their pixels are")
    func equalWrites() {
        func writes(_ byte: UInt8) -> [PanelWrite] {
            var bench = started()
            send(&bench, [0x80, address(5)] + [UInt8](repeating: byte, count: 18) + [0, 0])
            return bench.board.takePanelWrites()
        }
        #expect(PanelUpdate.outcome(touched: writes(0), untouched: writes(0), until: .max) == .none)
        #expect(PanelUpdate.outcome(touched: writes(0), untouched: writes(0x0F), until: .max) != .none)
    }

    @Test("A line that ends early, or has an address that the panel has not, is dropped")
    func dropped() {
        var bench = started()
        let black = [UInt8](repeating: 0, count: 18)
        send(&bench, [0x80, address(5)] + black)
        send(&bench, [0x80, address(168)] + black + [0, 0])
        send(&bench, [0x80, 0] + black + [0, 0])
        #expect(bench.board.picture.pixels.allSatisfy { $0 == 0xFFFF })
    }

    @Test("The panel can be cleared, and shows white while it is off")
    func clear() {
        var bench = started()
        send(&bench, [0x80, address(5)] + [UInt8](repeating: 0, count: 18) + [0, 0])
        bench.set(26, false)
        #expect(bench.pixel(0, 5) == 0xFFFF)
        bench.set(26, true)
        #expect(bench.pixel(0, 5) == 0)
        send(&bench, [0x20, 0])
        #expect(bench.pixel(0, 5) == 0xFFFF)
    }

    @Test("A bus of more than 1.1 MHz is noted")
    func fastBus() {
        var bench = started()
        send(&bench, [0, 0])
        #expect(bench.board.firstMistake == nil)
        bench.cyclesPerByte = 256
        let begin = bench.now
        send(&bench, [0, 0])
        #expect(bench.board.firstMistake == .fastBus(at: begin))
    }

    @Test("A pressed button is low")
    func buttons() throws {
        var bench = started()
        #expect([bench.level(13), bench.level(15)] == [true, true])
        try bench.board.apply(.press(.side), at: bench.now)
        #expect([bench.level(13), bench.level(15)] == [false, true])
        try bench.board.apply(.press(.crown), at: bench.now)
        try bench.board.apply(.release(.side), at: bench.now)
        #expect([bench.level(13), bench.level(15)] == [true, false])
    }

    @Test("A detent is a period of both contacts, and its direction is which one closes first", arguments: [1, -1])
    func crown(detents: Int) throws {
        var bench = started()
        try bench.board.apply(.turnCrown(detents: detents), at: bench.now)
        var seen: [[Bool?]] = []
        for _ in 1...4 {
            bench.wait(milliseconds: 2)
            seen.append([bench.level(14), bench.level(22)])
        }
        let forward: [[Bool?]] = [[false, true], [false, false], [true, false], [true, true]]
        let backward: [[Bool?]] = [[true, false], [false, false], [false, true], [true, true]]
        #expect(seen == (detents > 0 ? forward : backward))
        #expect(bench.board.due == .max)
    }

    @Test("Its touch panel has 144 x 168 pixels")
    func touch() throws {
        var bench = started()
        try bench.board.apply(.touchDown(x: 143, y: 167), at: bench.now)
        #expect(throws: EmulatorError.outsidePanel(x: 144, y: 0, width: 144, height: 168)) {
            try bench.board.apply(.touchMove(x: 144, y: 0), at: bench.now)
        }
    }
}
