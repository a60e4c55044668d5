import WatchLink

/// A channel between the two ends, whose datagrams take some time. It loses none until it is deaf or cut.
final class Wire {
    private struct Lane {
        var underway: [(due: Instant, datagram: [UInt8])] = []
        var isHeard = Hearing.heard
    }

    /// Whether what goes one way arrives.
    private enum Hearing {
        case heard, lost
    }

    /// The channel as each end has it.
    let ends: [WormholeEnd: AirChannel]
    private var lanes: [WormholeEnd: Lane] = [.phone: Lane(), .watch: Lane()]
    /// Which of all it is.
    let number: Int
    private let tamper: (WormholeEnd, [UInt8]) -> [[UInt8]]

    init(_ number: Int, tamper: @escaping (WormholeEnd, [UInt8]) -> [[UInt8]]) {
        ends = [.phone: AirChannel(), .watch: AirChannel()]
        self.number = number
        self.tamper = tamper
    }

    /// The channel of an end.
    func channel(of end: WormholeEnd) -> AirChannel {
        guard let channel = ends[end] else { preconditionFailure("a wire has both ends") }
        return channel
    }

    /// Whether neither end has it any more.
    var isOver: Bool { WormholeEnd.allCases.allSatisfy { !channel(of: $0).isOpen } }

    /// Whether both ends have it.
    var isUp: Bool { WormholeEnd.allCases.allSatisfy { channel(of: $0).isOpen } }

    /// Whether everything arrives that is sent.
    var isClear: Bool { lanes.values.allSatisfy { $0.isHeard == .heard } }

    /// When the next datagram arrives.
    var nextDue: Instant? { lanes.values.compactMap { $0.underway.first?.due }.min() }

    /// Whether nothing is on its way.
    var isEmpty: Bool { lanes.values.allSatisfy(\.underway.isEmpty) }

    /// What goes to `end` is lost from now on, and no end is told.
    func deafen(_ end: WormholeEnd) { lanes[end]?.isHeard = .lost }

    /// One end learns that it is gone.
    func abandon(_ end: WormholeEnd) {
        for end in WormholeEnd.allCases { deafen(end) }
        channel(of: end).end()
    }

    /// Both ends learn that it is gone; what is on its way goes with it.
    func cut() {
        for end in WormholeEnd.allCases {
            lanes[end]?.underway = []
            channel(of: end).end()
        }
    }

    /// Puts what the ends have sent on its way. Returns whether there was anything.
    func takeSent(at now: Instant, delay: Microseconds) -> Bool {
        var isNews = false
        for sender in WormholeEnd.allCases {
            for datagram in channel(of: sender).takeSent() {
                isNews = true
                // None overtakes another.
                let due = max(now + delay, lanes[sender.other]?.underway.last?.due ?? now)
                lanes[sender.other]?.underway.append((due, datagram))
            }
        }
        return isNews
    }

    /// Delivers what is due, and tells an end that the other has closed once everything before that has arrived. Returns whether
    /// there was anything.
    ///
    /// - Parameter passing: is called for each datagram that is delivered to an end.
    func carry(at now: Instant, _ passing: (WormholeEnd, [UInt8]) -> Void) -> Bool {
        var isNews = false
        for end in WormholeEnd.allCases {
            while let first = lanes[end]?.underway.first, first.due <= now {
                lanes[end]?.underway.removeFirst()
                isNews = true
                channel(of: end.other).carried()
                guard lanes[end]?.isHeard == .heard else { continue }
                passing(end, first.datagram)
                for datagram in tamper(end, first.datagram) { channel(of: end).deliver(datagram) }
            }
            guard lanes[end]?.isHeard == .heard, lanes[end]?.underway.isEmpty == true, channel(of: end).isOpen,
                !channel(of: end.other).isOpen
            else { continue }
            channel(of: end).end()
            isNews = true
        }
        return isNews
    }
}
