import Testing

@testable import Emulator

/// The expected behaviour is from XTX's XT25F datasheets.
struct SerialFlashTests {
    private func read(_ bench: inout BoardBench, _ address: Int, _ count: Int) -> [UInt8] {
        let answer = bench.flash(command(0x03, address) + [UInt8](repeating: 0, count: count))
        return [UInt8](answer.dropFirst(4))
    }

    private func command(_ code: UInt8, _ address: Int) -> [UInt8] {
        [code, UInt8(address >> 16 & 0xFF), UInt8(address >> 8 & 0xFF), UInt8(address & 0xFF)]
    }

    private func program(_ bench: inout BoardBench, _ address: Int, _ bytes: [UInt8]) {
        bench.flash([0x06])
        bench.flash(command(0x02, address) + bytes)
    }

    private func status(_ bench: inout BoardBench) -> UInt8 { bench.flash([0x05, 0])[1] }

    @Test("The chip says what it is")
    func identification() {
        var bench = BoardBench()
        #expect(bench.flash([0x9F, 0, 0, 0]) == [0xFF, 0x0B, 0x40, 0x16])
        #expect(bench.flash([0xAB, 0, 0, 0, 0]).last == 0x15)
        #expect([UInt8](bench.flash([0x90, 0, 0, 0, 0, 0]).suffix(2)) == [0x0B, 0x15])
    }

    @Test("A program needs the write enable, which it uses up")
    func writeEnable() {
        var bench = BoardBench()
        bench.flash(command(0x02, 0) + [0x12])
        #expect(read(&bench, 0, 1) == [0xFF])
        bench.flash([0x06])
        #expect(status(&bench) == 2)
        bench.flash([0x04])
        bench.flash(command(0x02, 0) + [0x12])
        #expect(read(&bench, 0, 1) == [0xFF])
        program(&bench, 0, [0x12])
        bench.wait(milliseconds: 1)
        #expect(status(&bench) == 0)
        #expect(read(&bench, 0, 2) == [0x12, 0xFF])
    }

    @Test("A program clears bits, and wraps in its page of 256 bytes")
    func pages() {
        var bench = BoardBench()
        program(&bench, 0x1FE, [0xF0, 0x0F, 0xAA])
        bench.wait(milliseconds: 1)
        program(&bench, 0x1FE, [0x3C])
        bench.wait(milliseconds: 1)
        #expect(read(&bench, 0x1FE, 3) == [0x30, 0x0F, 0xFF])
        #expect(read(&bench, 0x100, 1) == [0xAA])
    }

    @Test("Of more than 256 bytes the last ones count")
    func longProgram() {
        var bench = BoardBench()
        program(&bench, 0, [0x00] + [UInt8](repeating: 0x55, count: 255) + [0x77])
        bench.wait(milliseconds: 1)
        #expect(read(&bench, 0, 2) == [0x77, 0x55])
    }

    @Test("A read goes on over the end of the chip, and a fast read has a byte between")
    func reads() throws {
        var contents = [UInt8](repeating: 0xFF, count: SerialFlash.size)
        (contents[SerialFlash.size - 1], contents[0]) = (1, 2)
        var bench = BoardBench(flash: try SerialFlash(contents: contents))
        #expect(read(&bench, SerialFlash.size - 1, 2) == [1, 2])
        #expect(bench.flash(command(0x0B, SerialFlash.size - 1) + [0, 0, 0]).suffix(2) == [1, 2])
    }

    @Test(
        "An erase sets the unit that has the address, and keeps the chip busy",
        arguments: [(0x20, 4_096, 70), (0x52, 32_768, 200), (0xD8, 65_536, 300)] as [(UInt8, Int, UInt64)])
    func erases(code: UInt8, size: Int, milliseconds: UInt64) throws {
        let contents = [UInt8](repeating: 0, count: SerialFlash.size)
        var bench = BoardBench(flash: try SerialFlash(contents: contents))
        bench.flash([0x06])
        bench.flash(command(code, 0x123456))
        #expect(status(&bench) & 1 == 1)
        let start = 0x123456 / size * size
        #expect(bench.board.flash.contents[start - 1] == 0)
        #expect(bench.board.flash.contents[start..<start + size].allSatisfy { $0 == 0xFF })
        #expect(bench.board.flash.contents[start + size] == 0)
        bench.wait(milliseconds: milliseconds - 1)
        #expect(status(&bench) & 1 == 1)
        bench.wait(milliseconds: 1)
        #expect(status(&bench) == 0)
    }

    @Test("A busy chip takes nothing but the question for its status")
    func busy() {
        var bench = BoardBench()
        program(&bench, 0, [UInt8](repeating: 0, count: 256))
        // The chip takes 0.4 ms to program a page.
        #expect(status(&bench) & 1 == 1)
        #expect(read(&bench, 0, 1) == [0xFF])
        program(&bench, 256, [0])
        bench.wait(cycles: 400 * 64)
        #expect(status(&bench) == 0)
        #expect(read(&bench, 0, 1) == [0])
        #expect(read(&bench, 256, 1) == [0xFF])
    }

    @Test("A question that lasts sees the end of the program")
    func polling() {
        var bench = BoardBench()
        program(&bench, 0, [0])
        let answer = bench.flash([0x05] + [UInt8](repeating: 0, count: 40))
        #expect(answer[1] & 1 == 1)
        #expect(answer[40] & 1 == 0)
    }

    @Test("A sleeping chip answers to nothing but the wake-up, and then after 20 us")
    func sleep() {
        var bench = BoardBench()
        bench.flash([0xB9])
        #expect(bench.flash([0x9F, 0, 0, 0]) == [0xFF, 0xFF, 0xFF, 0xFF])
        bench.flash([0xAB])
        #expect(bench.flash([0x9F, 0, 0, 0]) == [0xFF, 0xFF, 0xFF, 0xFF])
        bench.wait(cycles: 20 * 64)
        #expect(bench.flash([0x9F, 0, 0, 0]) == [0xFF, 0x0B, 0x40, 0x16])
    }

    @Test("A chip that is absent gives 0xFF")
    func absent() {
        var bench = BoardBench()
        bench.board.absent = [.flash]
        #expect(bench.flash([0x9F, 0, 0, 0]) == [0xFF, 0xFF, 0xFF, 0xFF])
    }

    @Test("A file of another size is refused", arguments: [0, 4_194_303, 4_194_305])
    func fileSize(bytes: Int) {
        let error = #expect(throws: EmulatorError.flashSize(bytes)) {
            try SerialFlash(contents: [UInt8](repeating: 0, count: bytes))
        }
        #expect(
            error.map { "\($0)" }
                == "the file of the flash chip has \(bytes) bytes: give one of 4194304, or none for an erased chip")
    }

    @Test("A slow chip takes its longest times")
    func slow() {
        var bench = BoardBench()
        bench.board.flash.isSlow = true
        program(&bench, 0, [UInt8](repeating: 0, count: 256))
        bench.wait(cycles: .microseconds(2_900))
        #expect(status(&bench) & 1 == 1)
        bench.wait(cycles: .microseconds(200))
        #expect(status(&bench) & 1 == 0)
    }
}
