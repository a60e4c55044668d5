import SeededNumbers
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

    @Test func `datagrams arrive in order, both ways, also when every packet is damaged now and then`() {
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
                // Between two connections the ends count different ones.
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
