import DeviceModel
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import Emulator

/// The board's end of a radio's serial line. It does what the firmware's driver does.
private struct BoardEnd {
    private var channel = SerialChannel(role: .watch)
    private var frames = FrameReader(largestPayload: SerialChannel.largestPacket(sdu: WatchLimits.largestSDU))
    private var outgoing: [UInt8] = []
    private(set) var arrived: [[UInt8]] = []
    private(set) var openings = 0

    var state: SerialChannel.State { channel.state }

    mutating func send(_ datagram: [UInt8], at now: Instant) -> RadioOutcome {
        guard channel.send(at: now) else { return .busy }
        outgoing = datagram
        return .sent
    }

    mutating func close() { channel.close() }

    mutating func hear(_ bytes: [UInt8], at now: Instant) -> [UInt8] {
        var said = speak(at: now)
        for byte in bytes {
            guard let packet = frames.take(byte) else { continue }
            switch channel.receive(packet.span) {
            case .none, .closed: break
            case .opened: openings += 1
            case .datagram:
                arrived.append(Array(packet.dropFirst(SerialPacket.headSize)))
                channel.took()
            }
            said += speak(at: now)
        }
        return said
    }

    private mutating func speak(at now: Instant) -> [UInt8] {
        var said: [UInt8] = []
        while let packet = channel.next(at: now) {
            var head = [UInt8](repeating: 0, count: SerialPacket.largestHead)
            var span = head.mutableSpan
            let count = packet.write(into: &span)
            if case .data = packet {
                said += SerialFrame.bytes(Array(head.prefix(count)), outgoing)
            } else {
                said += SerialFrame.bytes(Array(head.prefix(count)))
            }
        }
        return said
    }
}

struct RadioBridgeTests {
    /// A board, and the bridge that connects its serial line to a phone's radio.
    private struct Line {
        let phone: InMemoryRadio
        let port: any RadioPort
        var bridge = RadioBridge()
        var board = BoardEnd()
        var now = Instant.start

        init(capacity: Int = 64) throws {
            let (watch, phone) = try InMemoryRadio.pair(capacity: capacity)
            (port, self.phone) = (watch, phone)
        }

        mutating func settle() {
            var toBridge: [UInt8] = []
            while true {
                let toBoard = bridge.service(hearing: toBridge, at: now, port)
                toBridge = board.hear(toBoard, at: now)
                if toBoard.isEmpty, toBridge.isEmpty { return }
            }
        }

        mutating func pass(_ length: Microseconds) {
            now = now + length
            settle()
        }
    }

    @Test func `a connection of the phone's is a channel of the board's`() throws {
        var line = try Line()
        line.settle()
        #expect(line.board.state == .closed)
        line.phone.connect()
        line.settle()
        #expect(line.board.state == .open(maximumSDU: 512))
        line.phone.cut()
        line.settle()
        #expect(line.board.state == .closed)
    }

    @Test func `datagrams arrive whole and in order, both ways`() throws {
        var line = try Line()
        line.phone.connect()
        line.settle()
        let datagrams = (0..<20).map { [UInt8](repeating: UInt8($0), count: $0 * 26 + 1) }
        for datagram in datagrams { line.phone.send(datagram) }
        line.settle()
        #expect(line.board.arrived == datagrams)
        for datagram in datagrams {
            #expect(line.board.send(datagram, at: line.now) == .sent)
            line.settle()
            #expect(line.phone.receive() == datagram)
        }
    }

    @Test func `a phone that is busy holds the board up, and loses nothing`() throws {
        var line = try Line(capacity: 1)
        line.phone.connect()
        line.settle()
        #expect(line.board.send([1], at: line.now) == .sent)
        line.settle()
        #expect(line.board.send([2], at: line.now) == .sent)
        line.pass(.milliseconds(100))
        #expect(line.board.send([3], at: line.now) == .busy)
        #expect(line.phone.receive() == [1])
        line.settle()
        #expect(line.board.send([3], at: line.now) == .sent)
        #expect(line.phone.receive() == [2])
        line.settle()
        #expect(line.phone.receive() == [3])
    }

    @Test func `a board that goes on while the phone is busy makes a megabyte wait at most`() throws {
        var line = try Line(capacity: 1)
        line.phone.connect()
        line.settle()
        for number in UInt8(1)...2 {
            #expect(line.board.send([number], at: line.now) == .sent)
            line.settle()
        }
        let noise = [UInt8](repeating: 0x55, count: 10_000)
        for _ in 0..<1_000 { _ = line.bridge.service(hearing: noise, at: line.now, line.port) }
        let waiting = line.bridge.unheard.count
        #expect(waiting > 0 && waiting <= RadioBridge.mostUnheard)
    }

    @Test func `a channel that the board closes ends the phone's connection`() throws {
        var line = try Line()
        line.phone.connect()
        line.settle()
        line.board.close()
        line.settle()
        #expect(line.phone.state == .down)
        line.phone.connect()
        line.settle()
        #expect(line.board.state == .open(maximumSDU: 512))
        #expect(line.board.openings == 2)
    }

    @Test func `a quick reconnection is a new channel`() throws {
        var line = try Line()
        line.phone.connect()
        line.settle()
        line.phone.connect()
        line.settle()
        #expect(line.board.openings == 2)
        line.phone.send([7])
        line.settle()
        #expect(line.board.arrived == [[7]])
    }

    @Test func `a board that does not answer loses the connection after two seconds`() throws {
        var line = try Line()
        line.phone.connect()
        line.settle()
        line.phone.send([1])
        for _ in 0..<20 {
            _ = line.bridge.service(hearing: [], at: line.now, line.port)
            line.now = line.now + .milliseconds(100)
        }
        #expect(line.phone.state != .down)
        _ = line.bridge.service(hearing: [], at: line.now, line.port)
        #expect(line.phone.state == .down)
    }

    @Test func `noise on the line is passed over`() throws {
        var line = try Line()
        line.phone.connect()
        line.settle()
        _ = line.bridge.service(hearing: [9, 9, 0, 1, 0, 0], at: line.now, line.port)
        line.phone.send([1])
        line.settle()
        #expect(line.board.arrived == [[1]])
    }
}
