/// What waits to be sent in one direction of a channel: credits for the other end and datagrams, a packet at a time.
struct PacketQueue {
    /// A packet as it is sent.
    enum Packet {
        /// So many more L2CAP frames are allowed to the other end.
        case credits(Int)
        /// A frame with a part of a datagram; the whole of it where this is the last.
        case frame(completing: [UInt8]?)
    }

    /// A datagram on its way, and how many bytes of it are sent.
    private struct Passage {
        var bytes: [UInt8]
        var sent = 0
    }

    private var passages: [Passage] = []
    /// Frames that this end may send.
    private var credits: Int
    /// Frames that the other end is to be allowed; sent before anything else.
    private var returning = 0

    init(credits: Int) {
        self.credits = credits
    }

    /// Whether nothing waits, not even for credits.
    var isEmpty: Bool { passages.isEmpty && returning == 0 }

    /// Whether a datagram waits.
    var hasDatagrams: Bool { !passages.isEmpty }

    mutating func send(_ bytes: [UInt8]) { passages.append(Passage(bytes: bytes)) }

    /// The other end has allowed more frames.
    mutating func allow(_ frames: Int) { credits += frames }

    /// Allows the other end more frames, with the next packet.
    mutating func giveBack(_ frames: Int) { returning += frames }

    /// Takes everything that waits, where it takes no time.
    mutating func takeAll() -> [[UInt8]] {
        defer { passages = [] }
        return passages.map(\.bytes)
    }

    /// The payload of the packet that `take` would give; nil where none can be sent.
    func nextPayload(_ cost: RadioCost) -> Int? {
        if returning > 0 { return RadioCost.creditBytes }
        guard credits > 0, let first = passages.first else { return nil }
        let header = RadioCost.frameHeader + (first.sent == 0 ? RadioCost.sduLength : 0)
        return header + part(of: first, cost)
    }

    /// Takes the next packet; nil where none can be sent.
    mutating func take(_ cost: RadioCost) -> Packet? {
        guard nextPayload(cost) != nil else { return nil }
        if returning > 0 {
            defer { returning = 0 }
            return .credits(returning)
        }
        credits -= 1
        passages[0].sent += part(of: passages[0], cost)
        let isWhole = passages[0].sent == passages[0].bytes.count
        return .frame(completing: isWhole ? passages.removeFirst().bytes : nil)
    }

    private func part(of passage: Passage, _ cost: RadioCost) -> Int {
        let room = cost.frameRoom - (passage.sent == 0 ? RadioCost.sduLength : 0)
        return min(room, passage.bytes.count - passage.sent)
    }
}
