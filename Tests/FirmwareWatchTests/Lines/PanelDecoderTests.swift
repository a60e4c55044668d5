import Testing
import Watch

@testable import FirmwareWatch

struct PanelDecoderTests {
    private static func bytes(_ number: UInt8, _ pixel: UInt8) -> [UInt8] {
        [0xA5, number] + [UInt8](repeating: pixel, count: PanelGeometry.bytesPerLine)
    }

    private func lines(_ bytes: [UInt8]) -> [PanelLine] {
        var decoder = PanelDecoder()
        return bytes.compactMap { decoder.take($0) }
    }

    private func line(_ number: Int, _ pixel: UInt8) -> PanelLine {
        PanelLine(number: number, pixels: [UInt8](repeating: pixel, count: PanelGeometry.bytesPerLine))
    }

    @Test func `lines come out as they came in`() {
        #expect(lines(Self.bytes(0, 1) + Self.bytes(167, 0xA5)) == [line(0, 1), line(167, 0xA5)])
    }

    @Test(arguments: [[0x00, 0xFF, 0x13], [0xA5, 0xFF], [0xA5, 168]] as [[UInt8]])
    func `noise between lines is passed over`(noise: [UInt8]) {
        #expect(lines(Self.bytes(3, 1) + noise + Self.bytes(4, 2)) == [line(3, 1), line(4, 2)])
    }

    @Test func `after a line that was cut the ones behind the next are found`() {
        let cut = Array(Self.bytes(3, 1).dropLast(5))
        let found = lines(cut + Self.bytes(4, 2) + Self.bytes(5, 3) + Self.bytes(6, 4))
        #expect(found.suffix(2) == [line(5, 3), line(6, 4)])
    }

    @Test func `every byte is counted`() {
        var decoder = PanelDecoder()
        for byte in Self.bytes(3, 1) + [7, 7] { _ = decoder.take(byte) }
        #expect(decoder.received == 22)
        #expect(decoder.skipped == 2)
    }
}
