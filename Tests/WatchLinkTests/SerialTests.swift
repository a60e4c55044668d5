import TestSupport
import Testing
import WatchLink

private func serialPacket(_ bytes: [UInt8]) -> SerialPacket? {
    SerialPacket(bytes.span)
}

struct SerialChannelTests {
    @Test func `a channel opens when the watch has answered, and closes on both sides`() {
        let line = SerialLine()
        line.bridge.open(token: 1, at: line.now)
        #expect(line.watch.channel.state == .closed)
        line.settle()
        #expect(line.bridge.channel.state == .open(maximumSDU: 512))
        #expect(line.watch.channel.state == .open(maximumSDU: 512))
        line.watch.channel.close()
        line.settle()
        #expect(line.bridge.channel.state == .closed)
    }

    @Test func `datagrams arrive in order, both ways`() {
        let line = SerialLine()
        line.bridge.open(token: 1, at: line.now)
        line.settle()
        let numbers = UInt16.zero..<300
        let fromWatch: [[UInt8]] = numbers.map { [UInt8($0 & 0xFF), UInt8($0 >> 8), 0] }
        let fromBridge: [[UInt8]] = numbers.map { [0, UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        line.watch.offer(fromWatch)
        line.bridge.offer(fromBridge)
        line.settle()
        #expect(line.bridge.taken == fromWatch)
        #expect(line.watch.taken == fromBridge)
    }

    @Test func `a receiver that takes nothing holds the sender up, and nothing is lost`() {
        let line = SerialLine()
        line.bridge.open(token: 1, at: line.now)
        line.settle()
        line.watch.appetite = .none
        line.bridge.offer([[1], [2], [3]])
        for _ in 0..<10 { line.pass(.milliseconds(100)) }
        #expect(line.watch.taken.isEmpty)
        line.watch.appetite = .everything
        line.settle()
        #expect(line.watch.taken == [[1], [2], [3]])
    }

    @Test func `a line that is dead for two seconds ends the channel`() {
        let line = SerialLine()
        line.bridge.open(token: 1, at: line.now)
        line.settle()
        line.quality = .dead
        line.watch.offer([[1]])
        for _ in 0..<25 { line.pass(.milliseconds(100)) }
        #expect(line.watch.channel.state == .closed)
    }

    @Test func `data of a connection that the other end does not know ends it here too`() {
        let line = SerialLine()
        line.bridge.open(token: 1, at: line.now)
        line.settle()
        line.watch = SerialEnd(.watch)
        line.bridge.offer([[1]])
        line.settle()
        #expect(line.bridge.channel.state == .closed)
        line.bridge.open(token: 2, at: line.now)
        line.settle()
        #expect(line.watch.channel.state == .open(maximumSDU: 512))
    }

    @Test func `whatever the line does, within a connection nothing is doubled, lost or out of order`() {
        withSeeds(30, "serial line") { random, seed in
            let line = SerialLine(SplitMix64(seed: seed))
            line.quality = .poor
            var token: UInt32 = 0
            var number: UInt8 = 0
            for _ in 0..<400 {
                switch Int.random(in: 0..<20, using: &random) {
                case 0 where line.bridge.channel.state == .closed:
                    token += 1
                    line.bridge.open(token: token, at: line.now)
                case 1 where random.once(in: 10): line.watch.channel.close()
                case 2..<8:
                    number &+= 1
                    (random.once(in: 2) ? line.watch : line.bridge).offer([[number, 0, number]])
                case 8: line.watch.appetite = random.once(in: 2) ? .everything : .none
                default: line.pass(.milliseconds(UInt32.random(in: 1...120, using: &random)))
                }
                // While only one end has opened the new channel, the two ends record datagrams of different channels.
                guard case .open = line.bridge.channel.state, case .open = line.watch.channel.state else { continue }
                #expect(line.bridge.taken == Array(line.watch.accepted.prefix(line.bridge.taken.count)))
                #expect(line.watch.taken == Array(line.bridge.accepted.prefix(line.watch.taken.count)))
            }
        }
    }

    @Test func `packets that are none are ignored`() {
        for packet: [UInt8] in [
            [], [1], [4, 0, 0, 0, 1], [9, 0, 0, 0, 1], [2, 0, 0, 0, 1, 0], [1, 0, 0, 0, 1, 2, 0, 0],
        ] {
            #expect(serialPacket(packet) == nil)
        }
    }
}

struct SerialDocumentTests {
    @Test func `an example packet decodes and encodes to the same bytes`() throws {
        let examples = try ProtocolExample.all(in: "serial")
        #expect(examples.count == 4)
        for example in examples {
            let packet = try #require(serialPacket(example.frame))
            var buffer = [UInt8](repeating: 0, count: SerialPacket.largestHead)
            var span = buffer.mutableSpan
            let count = packet.write(into: &span)
            #expect(Array(buffer.prefix(count)) == Array(example.frame.prefix(count)))
        }
    }

    @Test func `the example of bytes on the line is the packet before it`() throws {
        let line = try #require(try ProtocolExample.all(in: "line").first).frame
        #expect(payloads(of: line) == [[2, 0, 0, 0, 1]])
        #expect(hex(onTheLine([2, 0, 0, 0, 1])) == hex(line))
    }
}

func onTheLine(_ payload: [UInt8], split: Int = 0) -> [UInt8] {
    let head = Array(payload.prefix(split))
    let body = Array(payload.dropFirst(split))
    var encoder = SerialEncoder(head.span, body.span)
    var line: [UInt8] = []
    while let byte = encoder.next() { line.append(byte) }
    return line
}

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
                // A zero byte ends a frame. If the damage makes a byte zero, the line contains two damaged frames.
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

/// One end of a serial line, with the application that sends and receives datagrams there.
final class SerialEnd {
    enum Appetite {
        case everything
        case none
    }

    var channel: SerialChannel
    var appetite = Appetite.everything
    private(set) var waiting: [[UInt8]] = []
    /// The datagrams that the application has passed to the channel since the channel opened.
    private(set) var accepted: [[UInt8]] = []
    /// The datagrams that the application has received since the channel opened.
    private(set) var taken: [[UInt8]] = []
    private var outgoing: [UInt8] = []
    private var arrived: [[UInt8]] = []
    private var decoder = SerialDecoder()
    private var buffer = [UInt8](repeating: 0, count: 600)
    private var unread: [UInt8] = []

    init(_ role: SerialChannel.Role) {
        channel = SerialChannel(role: role)
    }

    func open(token: UInt32, at now: Instant) {
        channel.open(token: token, maximumSDU: 512, at: now)
    }

    func offer(_ datagrams: [[UInt8]]) {
        waiting += datagrams
    }

    private func beginToCount() {
        accepted = []
        taken = []
        arrived = []
    }

    func hear(_ bytes: [UInt8]) {
        unread += bytes
    }

    /// Handles the bytes that have arrived, and returns the frames to put on the line.
    func act(at now: Instant) -> [[UInt8]] {
        var said: [[UInt8]] = []
        takeArrived()
        said += speak(at: now)
        while arrived.isEmpty, !unread.isEmpty {
            let byte = unread.removeFirst()
            var count: Int?
            do {
                var span = buffer.mutableSpan
                count = decoder.take(byte, into: &span)
            }
            guard let count else { continue }
            let packet = Array(buffer.prefix(count))
            switch channel.receive(packet.span) {
            case .none, .closed: break
            case .opened: beginToCount()
            case .datagram: arrived.append(Array(packet.dropFirst(SerialPacket.headSize)))
            }
            takeArrived()
            said += speak(at: now)
        }
        return said
    }

    private func takeArrived() {
        guard appetite == .everything, !arrived.isEmpty else { return }
        taken.append(arrived.removeFirst())
        channel.took()
    }

    private func speak(at now: Instant) -> [[UInt8]] {
        if let next = waiting.first, channel.send(at: now) {
            outgoing = next
            accepted.append(waiting.removeFirst())
        }
        var said: [[UInt8]] = []
        while let packet = channel.next(at: now) {
            var head = [UInt8](repeating: 0, count: SerialPacket.largestHead)
            var span = head.mutableSpan
            let count = packet.write(into: &span)
            if case .data = packet {
                said.append(onTheLine(head.prefix(count) + outgoing, split: count))
            } else {
                said.append(onTheLine(Array(head.prefix(count))))
            }
        }
        return said
    }
}

final class SerialLine {
    enum Quality {
        case good
        case poor
        case dead
    }

    var bridge = SerialEnd(.bridge)
    var watch = SerialEnd(.watch)
    var quality = Quality.good
    private(set) var now = Instant.start
    private var random: SplitMix64

    init(_ random: SplitMix64 = SplitMix64(seed: 1)) {
        self.random = random
    }

    /// Advances the clock by `length`. Then lets both ends act until neither has anything to send.
    func pass(_ length: Microseconds) {
        now = now + length
        var isBusy = true
        while isBusy {
            let fromWatch = watch.act(at: now)
            let fromBridge = bridge.act(at: now)
            for said in fromWatch { bridge.hear(carry(said)) }
            for said in fromBridge { watch.hear(carry(said)) }
            isBusy = !(fromWatch.isEmpty && fromBridge.isEmpty)
        }
    }

    func settle() {
        for _ in 0..<1_000 {
            pass(.milliseconds(1))
        }
    }

    private func carry(_ bytes: [UInt8]) -> [UInt8] {
        switch quality {
        case .good: return bytes
        case .dead: return []
        case .poor:
            switch Int.random(in: 0..<10, using: &random) {
            case 0: return []
            case 1: return bytes + bytes
            case 2: return Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
            case 3:
                var damaged = bytes
                damaged[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
                return damaged
            default: return bytes
            }
        }
    }
}
