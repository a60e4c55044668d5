import Testing
import WatchLink

struct CBORWriterTests {
    @Test(arguments: [
        (0, "00"), (23, "17"), (24, "1818"), (255, "18ff"), (256, "190100"), (65_535, "19ffff"),
        (65_536, "1a00010000"), (4_294_967_295, "1affffffff"), (4_294_967_296, "1b0000000100000000"),
    ])
    func `an integer takes the shortest head`(_ value: UInt64, _ expected: String) throws {
        #expect(hex(try written { (writer) throws(CBORError) in try writer.unsigned(value) }) == expected)
        if let word = UInt32(exactly: value) {
            #expect(hex(try written { (writer) throws(CBORError) in try writer.unsigned(word) }) == expected)
            #expect(CBORWriter.headSize(word) == expected.count / 2)
        }
    }

    @Test(arguments: [
        (0.0, "f90000"), (-0.0, "f98000"), (65_504, "f97bff"), (65_505, "fa477fe100"), (65_536, "fa47800000"),
        (0x1p-24, "f90001"), (0x1p-25, "fa33000000"), (0x1.8p-24, "fa33c00000"), (0x1.8p-23, "f90003"),
        (0x1.ff8p-15, "f903ff"), (0x1.ffcp-15, "fa387fe000"), (0x1p-14, "f90400"), (0x1.004p-14, "f90401"),
        (0x1.002p-14, "fa38801000"),
        (16_777_216, "fa4b800000"), (16_777_217, "fb4170000010000000"), (0x1p-149, "fa00000001"),
        (0x1p-150, "fb3690000000000000"), (1e39, "fb48078287f49c4a1d"),
        (.greatestFiniteMagnitude, "fb7fefffffffffffff"), (-.infinity, "f9fc00"), (.nan, "f97e00"),
        (-.nan, "f97e00"), (.signalingNaN, "f97e00"),
    ])
    func `a number takes the shortest format that is exact`(_ value: Double, _ expected: String) throws {
        #expect(hex(try written { (writer) throws(CBORError) in try writer.float(value) }) == expected)
    }

    @Test func `every half comes back from its own bytes`() throws {
        for bits in UInt16.min...UInt16.max {
            let encoded: [UInt8] = [0xF9, UInt8(bits >> 8), UInt8(bits & 0xFF)]
            var reader = CBORReader(encoded.span)
            let value = try reader.float()
            let again = try written { (writer) throws(CBORError) in try writer.float(value) }
            #expect(again == (value.isNaN ? [0xF9, 0x7E, 0x00] : encoded))
        }
    }

    @Test func `an item that does not fit is not begun`() throws {
        let text: StaticString = "shopping"
        for capacity in 0..<9 {
            var buffer = [UInt8](repeating: 0xEE, count: capacity)
            var writer = CBORWriter(buffer.mutableSpan)
            var refusal: CBORError?
            do { try writer.text(text) } catch { refusal = error }
            #expect(refusal == .outOfSpace)
            let (count, room) = (writer.count, writer.room)
            #expect(count == 0)
            #expect(room == capacity)
        }
        #expect(try written(9) { (writer) throws(CBORError) in try writer.text(text) }.count == 9)
    }

    @Test(arguments: [0, 1, -1, 23, -24, -25, .max, .min, .min + 1])
    func `integers of both signs come back`(_ value: Int64) throws {
        let encoded = try written { (writer) throws(CBORError) in try writer.integer(value) }
        var reader = CBORReader(encoded.span)
        let read = try reader.integer()
        #expect(read == value)
        let remaining = reader.remaining
        #expect(remaining == 0)
    }
}
