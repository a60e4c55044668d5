import SeededNumbers
import WatchLink

/// One end of a serial line with an application behind it.
final class SerialEnd {
    /// Whether the application takes what comes.
    enum Appetite {
        case everything
        case none
    }

    var channel: SerialChannel
    var appetite = Appetite.everything
    /// Datagrams that wait to be sent.
    private(set) var waiting: [[UInt8]] = []
    /// Datagrams that the channel took over since it was opened.
    private(set) var accepted: [[UInt8]] = []
    /// Datagrams that came out since it was opened.
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

    /// What was said over the connection before counts no more.
    private func beginToCount() {
        accepted = []
        taken = []
        arrived = []
    }

    func hear(_ bytes: [UInt8]) {
        unread += bytes
    }

    /// Does what there is to do and returns what it says.
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

/// Two ends and the line between them.
final class SerialLine {
    enum Quality {
        case good
        /// It loses, damages and doubles.
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

    /// Lets time pass and both ends act until neither has anything to say.
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

    /// Lets time pass until all was said that there is.
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
