import SeededNumbers
import Testing
import WatchLink

/// The bytes of a payload on a serial line.
func onTheLine(_ payload: [UInt8], split: Int = 0) -> [UInt8] {
    let head = Array(payload.prefix(split))
    let body = Array(payload.dropFirst(split))
    var encoder = SerialEncoder(head.span, body.span)
    var line: [UInt8] = []
    while let byte = encoder.next() { line.append(byte) }
    return line
}

/// What a receiver with room for `room` bytes makes of a line.
func payloads(of line: [UInt8], room: Int = 600, _ decoder: inout SerialDecoder) -> [[UInt8]] {
    var buffer = [UInt8](repeating: 0xEE, count: room)
    var found: [[UInt8]] = []
    for byte in line {
        var count: Int?
        do {
            var span = buffer.mutableSpan
            count = decoder.take(byte, into: &span)
        }
        if let count { found.append(Array(buffer.prefix(count))) }
    }
    return found
}

func payloads(of line: [UInt8], room: Int = 600) -> [[UInt8]] {
    var decoder = SerialDecoder()
    return payloads(of: line, room: room, &decoder)
}

struct SerialFrameTests {
    @Test
    func `a payload of any length, with zeros at any place, comes back whole and has one zero on the line, at its end`()
    {
        for count in [1, 2, 5, 249, 250, 251, 253, 254, 255, 256, 503, 508, 509, 512] {
            for zeros in [0, 1, 2, 7, 254] {
                let payload = (0..<count).map { zeros > 0 && $0 % zeros == 0 ? 0 : UInt8($0 % 255 + 1) }
                let line = onTheLine(payload, split: count / 3)
                #expect(payloads(of: line) == [payload], "\(count) bytes, a zero in \(zeros)")
                #expect(line.firstIndex(of: 0) == line.count - 1)
                #expect(line.count <= SerialFrame.largestWireSize(payload: count))
            }
        }
    }

    @Test func `frames one behind the other come back in order, zeros between them mean nothing`() {
        let line = [0, 0] + onTheLine([1]) + [0, 0, 0] + onTheLine([0, 0]) + onTheLine([3])
        var decoder = SerialDecoder()
        #expect(payloads(of: line, &decoder) == [[1], [0, 0], [3]])
        #expect(decoder.dropped == 0)
    }

    @Test func `a frame that is cut short is dropped, and the one behind it arrives`() {
        let whole = onTheLine([9, 0, 8, 7, 6])
        for length in 1..<(whole.count - 1) {
            var decoder = SerialDecoder()
            #expect(payloads(of: whole.prefix(length) + [0] + onTheLine([5]), &decoder) == [[5]], "cut to \(length)")
            #expect(decoder.dropped == 1)
        }
    }

    @Test func `a frame with one wrong bit is dropped, wherever the bit is`() {
        let whole = onTheLine(Array(0..<40))
        for index in 0..<(whole.count - 1) {
            for bit in 0..<8 {
                var line = whole
                line[index] ^= 1 << bit
                // A byte that became zero ends the frame early, and what follows is another broken one.
                #expect(payloads(of: line + [0] + onTheLine([5])).filter { $0 != [5] }.isEmpty)
            }
        }
    }

    @Test func `a frame longer than the receiver's room is dropped, and the one behind it arrives`() {
        var decoder = SerialDecoder()
        let line = onTheLine([UInt8](repeating: 7, count: 100)) + onTheLine([1, 2])
        #expect(payloads(of: line, room: 50, &decoder) == [[1, 2]])
        #expect(decoder.dropped == 1)
    }

    @Test func `noise never makes a payload`() {
        withSeeds(20, "serial noise") { random, _ in
            let line = (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(payloads(of: line).isEmpty)
            #expect(payloads(of: line + [0] + onTheLine([4])).last == [4])
        }
    }
}
