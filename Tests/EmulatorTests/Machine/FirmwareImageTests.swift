import Testing

@testable import Emulator

struct FirmwareImageTests {
    private func image(stack: UInt32 = 0x2001_0000, entry: UInt32 = 0x101, size: Int = 512) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        for (place, word) in [stack, entry].enumerated() {
            for byte in 0..<4 { bytes[4 * place + byte] = UInt8(truncatingIfNeeded: word >> (8 * UInt32(byte))) }
        }
        return bytes
    }

    @Test
    func `A raw image begins at 0, or where its caller says`() throws {
        let low = try FirmwareImage(image())
        #expect(low.format == .raw)
        #expect(low.vectors == 0)
        #expect(low.flash.prefix(8) == [0, 0, 1, 0x20, 1, 1, 0, 0])
        #expect(low.flash[512...].allSatisfy { $0 == 0xFF })
        let high = try FirmwareImage(image(entry: 0x8121), at: 0x8020)
        #expect(high.vectors == 0x8020)
        #expect(high.flash[0x8024] == 0x21)
    }

    @Test
    func `An MCUboot image starts behind its header in the first slot`() throws {
        var file: [UInt8] = [0x3D, 0xB8, 0xF3, 0x96, 0, 0, 0, 0, 32, 0, 0, 0, 0, 2, 0, 0]
        file += [UInt8](repeating: 0, count: 16) + image(entry: 0x8121)
        let loaded = try FirmwareImage(file)
        #expect(loaded.format == .mcuboot)
        #expect(loaded.vectors == 0x8020)
        #expect(throws: EmulatorError.truncated) { try FirmwareImage(Array(file.dropLast())) }
    }

    @Test
    func `Intel HEX has its own addresses, and a checksum for each line`() throws {
        let text = """
            :020000040000FA
            :080000000000012001010000D5
            :020000021000EC
            :0400000001020304F2
            :04001000102030404C
            :00000001FF

            """
        let loaded = try FirmwareImage(Array(text.utf8))
        #expect(loaded.format == .hex)
        #expect(loaded.flash[4] == 1)
        #expect(loaded.flash[0x1_0000..<0x1_0004] == [1, 2, 3, 4])
        let damaged = text.replacing("04F2", with: "05F2")
        #expect(throws: EmulatorError.badRecord(line: 4)) { try FirmwareImage(Array(damaged.utf8)) }
        let cut = text.replacing(":00000001FF\n", with: "")
        #expect(throws: EmulatorError.truncated) { try FirmwareImage(Array(cut.utf8)) }
        #expect(throws: EmulatorError.addressNotNeeded("Intel HEX")) { try FirmwareImage(Array(text.utf8), at: 0) }
    }

    @Test(arguments: [
        (UInt32(0x2001_0004), UInt32(0x101), EmulatorError.stackOutsideRAM(0x2001_0004)),
        (0x2002_0000, 0x101, .stackOutsideRAM(0x2002_0000)),
        (0x2001_0000, 0x100, .noVectorTable(at: 0)),
        (0, 0, .noVectorTable(at: 0)),
        (0xFFFF_FFFF, 0xFFFF_FFFF, .noVectorTable(at: 0)),
    ])
    func `An image without vectors, or of another part, is refused`(
        _ stack: UInt32, _ entry: UInt32, _ error: EmulatorError
    ) {
        #expect(throws: error) { try FirmwareImage(image(stack: stack, entry: entry)) }
    }

    @Test
    func `An image that does not fit into flash is refused`() {
        #expect(throws: EmulatorError.misplaced(0x7FF00)) { try FirmwareImage(image(), at: 0x7FF00) }
        #expect(throws: EmulatorError.noVectorTable(at: 0)) { try FirmwareImage([]) }
    }

    @Test
    func `Handlers are those of the image's vector table, and erased ones lock the core up`() throws {
        // SVC at 0x8120, and B to itself at 0x8122. The handler of SVC, at 0x8142, is BKPT #7.
        var file = image(entry: 0x8121)
        file.replaceSubrange(0x100..<0x102, with: [0x00, 0xDF])
        file.replaceSubrange(0x102..<0x104, with: [0xFE, 0xE7])
        file.replaceSubrange(0x2C..<0x30, with: [0x43, 0x81, 0, 0])
        file.replaceSubrange(0x122..<0x124, with: [0x07, 0xBE])
        var machine = Machine(try FirmwareImage(file, at: 0x8020), on: BoardDevices(.pineTime))
        #expect(machine.run(until: 6_400) == .breakpoint(7))
        file.replaceSubrange(0x08..<0x30, with: [UInt8](repeating: 0xFF, count: 0x28))
        machine = Machine(try FirmwareImage(file, at: 0x8020), on: BoardDevices(.pineTime))
        #expect(machine.run(until: 6_400_000) == .resetLoop(.lockup))
    }
}
