import Testing

@testable import Emulator

/// The expected behaviour is from Sitronix's ST7789V datasheet v1.6.
struct ColourPanelTests {
    private static let red: UInt16 = 0xF800, green: UInt16 = 0x07E0, white: UInt16 = 0xFFFF

    private func started() -> BoardBench {
        var bench = BoardBench()
        bench.startPanel()
        _ = bench.board.takePanelWrites()
        return bench
    }

    @Test("Pixels fill the window line by line, and begin again at its start")
    func window() {
        var bench = started()
        bench.fill(10...12, 20...21, ColourPanelTests.red)
        for y in 19...22 {
            for x in 9...13 {
                let isInside = (10...12).contains(x) && (20...21).contains(y)
                #expect(bench.pixel(x, y) == (isInside ? ColourPanelTests.red : 0))
            }
        }
        bench.panelData([0x07, 0xE0])
        #expect(bench.pixel(10, 20) == ColourPanelTests.green)
        #expect(bench.pixel(11, 20) == ColourPanelTests.red)
    }

    @Test("Pixels outside of the memory are dropped, and keep their place in the window")
    func outside() {
        var bench = started()
        bench.fill(239...240, 0...1, ColourPanelTests.red)
        #expect(bench.pixel(239, 0) == ColourPanelTests.red)
        #expect(bench.pixel(239, 1) == ColourPanelTests.red)
        #expect(bench.pixel(0, 1) == 0)
        #expect(bench.board.takePanelWrites().map(\.pixels) == [4])
    }

    @Test("A window whose start is behind its end is ignored")
    func backwards() {
        var bench = started()
        bench.panel(0x2A, bench.words([5, 5]))
        bench.panel(0x2A, bench.words([9, 3]))
        bench.panel(0x2B, bench.words([7, 7]))
        bench.panel(0x2C, [0xFF, 0xFF])
        #expect(bench.pixel(5, 7) == ColourPanelTests.white)
    }

    @Test(
        "Address 0, 0 and the direction of a line follow the orientation",
        arguments: [
            (0x00, 0, 0, 1, 0), (0x40, 239, 0, -1, 0), (0x20, 0, 0, 0, 1), (0x60, 239, 0, 0, 1),
        ])
    func orientation(register: UInt8, x: Int, y: Int, across: Int, down: Int) {
        var bench = started()
        bench.panel(0x36, [register])
        bench.fill(0...1, 0...0, ColourPanelTests.red)
        #expect(bench.pixel(x, y) == ColourPanelTests.red)
        #expect(bench.pixel(x + across, y + down) == ColourPanelTests.red)
        #expect(bench.board.picture.pixels.count { $0 != 0 } == 2)
    }

    @Test("With rows from bottom to top, row 80 is the last visible line of 240")
    func bottomUp() {
        var bench = started()
        bench.panel(0x36, [0x80])
        bench.fill(0...0, 80...80, ColourPanelTests.red)
        #expect(bench.pixel(0, 239) == ColourPanelTests.red)
    }

    @Test("A panel with blue first shows red as blue")
    func colourOrder() {
        var bench = started()
        bench.fill(0...0, 0...0, ColourPanelTests.red)
        bench.panel(0x36, [0x08])
        #expect(bench.pixel(0, 0) == 0x001F)
    }

    @Test(
        "A pixel has 12, 16 or 18 bits",
        arguments: [
            (0x53, [0xF0, 0x00, 0x0F], [0xF800, 0x001F]), (0x55, [0xF8, 0x00, 0x00, 0x1F], [0xF800, 0x001F]),
            (0x66, [0xFC, 0x00, 0x00, 0x00, 0x00, 0xFC], [0xF800, 0x001F]),
        ] as [(UInt8, [UInt8], [UInt16])])
    func formats(register: UInt8, bytes: [UInt8], colours: [UInt16]) {
        var bench = started()
        bench.panel(0x3A, [register])
        bench.panel(0x2C, bytes)
        #expect([bench.pixel(0, 0), bench.pixel(1, 0)] == colours)
    }

    @Test("The picture scrolls over all 320 lines of memory")
    func scrolling() {
        var bench = started()
        bench.fill(0...0, 300...300, ColourPanelTests.red)
        bench.panel(0x37, bench.words([300]))
        #expect(bench.pixel(0, 0) == ColourPanelTests.red)
        bench.panel(0x37, bench.words([100]))
        #expect(bench.pixel(0, 200) == ColourPanelTests.red)
        // Line 239 shows memory line 61 + 239 = 300. After memory line 319 comes line 0.
        bench.panel(0x37, bench.words([61]))
        #expect(bench.pixel(0, 239) == ColourPanelTests.red)
        bench.fill(0...0, 0...0, ColourPanelTests.green)
        bench.panel(0x37, bench.words([319]))
        #expect(bench.pixel(0, 1) == ColourPanelTests.green)
        bench.panel(0x13)
        #expect(bench.pixel(0, 0) == ColourPanelTests.green)
    }

    @Test("Fixed lines above and below do not scroll")
    func fixedLines() {
        var bench = started()
        bench.fill(0...0, 0...0, ColourPanelTests.red)
        bench.fill(0...0, 50...50, ColourPanelTests.green)
        bench.panel(0x33, bench.words([10, 200, 110]))
        bench.panel(0x37, bench.words([50]))
        #expect(bench.pixel(0, 0) == ColourPanelTests.red)
        #expect(bench.pixel(0, 10) == ColourPanelTests.green)
        // Lines 10 to 169 show memory lines 50 to 209. Line 170 begins again at memory line 10.
        bench.fill(0...0, 10...10, ColourPanelTests.white)
        #expect(bench.pixel(0, 170) == ColourPanelTests.white)
    }

    @Test("Without its inversion the PineTime's panel shows complements")
    func inversion() {
        var bench = started()
        bench.fill(0...0, 0...0, ColourPanelTests.red)
        bench.panel(0x20)
        #expect(bench.pixel(0, 0) == ~ColourPanelTests.red)
        bench.panel(0x21)
        #expect(bench.pixel(0, 0) == ColourPanelTests.red)
    }

    @Test("A sleeping or switched-off panel is dark, keeps its memory, and takes pixels")
    func sleep() {
        var bench = started()
        bench.fill(0...0, 0...0, ColourPanelTests.red)
        bench.panel(0x28)
        #expect(bench.pixel(0, 0) == 0)
        bench.panel(0x29)
        #expect(bench.pixel(0, 0) == ColourPanelTests.red)
        bench.wait(milliseconds: 120)
        bench.panel(0x10)
        #expect(bench.pixel(0, 0) == 0)
        bench.wait(milliseconds: 5)
        bench.fill(1...1, 0...0, ColourPanelTests.green)
        bench.wait(milliseconds: 120)
        bench.panel(0x11)
        #expect(bench.pixel(0, 0) == ColourPanelTests.red)
        #expect(bench.pixel(1, 0) == ColourPanelTests.green)
        #expect(bench.board.firstMistake == nil)
    }

    @Test("A reset by command or by line puts the panel to sleep and keeps the pixels")
    func reset() {
        var bench = started()
        bench.fill(0...0, 0...0, ColourPanelTests.red)
        bench.set(26, false)
        bench.wait(milliseconds: 1)
        bench.panel(0x29)
        bench.set(26, true)
        bench.wait(milliseconds: 120)
        bench.panel(0x11)
        #expect(bench.pixel(0, 0) == 0)
        bench.wait(milliseconds: 5)
        bench.panel(0x21)
        bench.panel(0x29)
        #expect(bench.pixel(0, 0) == ColourPanelTests.red)
    }

    @Test("A command within 5 ms after sleep-out, and a sleep-in within 120 ms, are noted")
    func earlyCommands() {
        var bench = BoardBench()
        bench.wait(milliseconds: 200)
        bench.panel(0x11)
        let awake = bench.now
        bench.wait(milliseconds: 119)
        bench.panel(0x29)
        #expect(bench.board.firstMistake == nil)
        bench.panel(0x10)
        let earliest = awake + 120 * 64_000
        #expect(bench.board.firstMistake == .earlyCommand(0x10, at: bench.now, earliest: earliest))

        var hasty = BoardBench()
        hasty.wait(milliseconds: 200)
        hasty.panel(0x11)
        hasty.panel(0x3A, [0x55])
        guard case .earlyCommand(0x3A, _, let end) = hasty.board.firstMistake else {
            Issue.record("COLMOD came 2 us after SLPOUT")
            return
        }
        #expect(end == 200 * 64_000 + 64 + 5 * 64_000)
    }

    @Test("Sleep-out must wait 120 ms after the end of an awake panel's reset, and after a reset by command")
    func lateSleepOut() {
        var bench = started()
        bench.set(26, false)
        bench.wait(milliseconds: 200)
        bench.set(26, true)
        let released = bench.now
        bench.wait(milliseconds: 119)
        bench.panel(0x11)
        let earliest = released + 120 * 64_000
        #expect(bench.board.firstMistake == .earlyCommand(0x11, at: bench.now, earliest: earliest))

        var commanded = BoardBench()
        commanded.wait(milliseconds: 200)
        commanded.panel(0x01)
        let reset = commanded.now
        commanded.wait(milliseconds: 119)
        commanded.panel(0x11)
        let end = reset + 120 * 64_000
        #expect(commanded.board.firstMistake == .earlyCommand(0x11, at: commanded.now, earliest: end))
    }

    @Test("Sleep-out must wait 5 ms after sleep-in, and after the end of a sleeping panel's reset")
    func earlySleepOut() {
        var bench = started()
        bench.wait(milliseconds: 120)
        bench.panel(0x10)
        bench.wait(milliseconds: 5)
        bench.panel(0x11)
        bench.wait(milliseconds: 120)
        bench.panel(0x10)
        bench.wait(milliseconds: 5)
        bench.set(26, false)
        bench.wait(milliseconds: 1)
        bench.set(26, true)
        bench.wait(milliseconds: 5)
        bench.panel(0x11)
        #expect(bench.board.firstMistake == nil)
    }

    @Test("A reset by command restores the length of a line, and the window for the kept orientation")
    func defaults() {
        var bench = started()
        bench.panel(0xC6, [0x1F])
        bench.panel(0x36, [0x20])
        bench.panel(0x2A, bench.words([5, 6]))
        bench.panel(0x01)
        bench.wait(milliseconds: 120)
        bench.panel(0x11)
        let awake = bench.now
        bench.wait(milliseconds: 5)
        bench.panel(0x29)
        _ = bench.board.takePanelWrites()
        bench.panel(0x2C, [0xFF, 0xFF, 0xFF])
        let window = PanelArea(columns: 0...239, rows: 0...319)
        #expect(bench.board.takePanelWrites().map(\.window) == [window])
        guard case .pineTime(let front) = bench.board.model else { return }
        #expect(front.panel.scanOut(row: 0, after: awake) == awake + 12 * 49 * 64)
    }

    @Test("A write has its window, and the cycles at which its first and last pixel have passed the bus")
    func log() {
        var bench = started()
        bench.panel(0x2A, bench.words([0, 199]))
        bench.panel(0x2B, bench.words([4, 5]))
        let command = bench.now
        bench.panel(0x2C, [UInt8](repeating: 0, count: 800))
        bench.fill(7...9, 5...5, ColourPanelTests.red)
        let writes = bench.board.takePanelWrites()
        #expect(writes.count == 2)
        #expect(writes[0].window == PanelArea(columns: 0...199, rows: 4...5))
        #expect(writes[0].pixels == 400)
        // After the command, each byte takes 64 cycles, and each pixel has two bytes.
        #expect(writes[0].first == command + 64 + 128)
        #expect(writes[0].last == command + 64 + 800 * 64)
        #expect(writes[0].change == nil)
        #expect(writes[1].change?.area == PanelArea(columns: 7...9, rows: 5...5))
        #expect(writes[1].change?.last == bench.now)
        #expect(bench.board.takePanelWrites().isEmpty)
    }

    @Test("The log of a write that goes on is in two parts")
    func logInParts() {
        var bench = started()
        bench.panel(0x2C, [0xFF, 0xFF])
        #expect(bench.board.takePanelWrites().count == 1)
        bench.panelData([0xFF, 0xFF])
        let writes = bench.board.takePanelWrites()
        #expect(writes.map(\.pixels) == [1])
        #expect(writes.first?.change?.area == PanelArea(columns: 1...1, rows: 0...0))
    }

    @Test("Three lines give the backlight its level")
    func backlight() {
        var bench = started()
        #expect(bench.board.picture.light == 1)
        bench.set(22, false)
        bench.set(23, false)
        #expect(bench.board.picture.light == 7)
        bench.set(14, true)
        bench.set(22, nil)
        #expect(bench.board.picture.light == 4)
    }

    @Test("The panel refreshes a line once in 344 lines of 49 us")
    func scanOut() {
        var bench = BoardBench()
        bench.wait(milliseconds: 200)
        bench.panel(0x11)
        let awake = bench.now
        bench.panel(0x29)
        guard case .pineTime(let front) = bench.board.model else { return }
        let line: UInt64 = 49 * 64, frame = 344 * line
        #expect(front.panel.scanOut(row: 0, after: awake) == awake + 12 * line)
        #expect(front.panel.scanOut(row: 100, after: awake + 112 * line + 1) == awake + 112 * line + frame)
        #expect(front.panel.scanOut(row: 240, after: awake) == nil)
    }

    @Test("A panel that is not selected, or absent, takes nothing")
    func unselected() {
        var bench = started()
        bench.set(18, true)
        bench.panel(0x2C)
        #expect(bench.exchange([0xFF, 0xFF]) == [0xFF, 0xFF])
        #expect(bench.pixel(0, 0) == 0)
        bench.board.absent = [.panel]
        bench.fill(0...0, 0...0, ColourPanelTests.red)
        #expect(bench.pixel(0, 0) == 0)
    }
}
