import WatchLink

enum LinkEnd: String, Codable, CaseIterable, Sendable {
    case phone
    case watch

    var other: LinkEnd {
        switch self {
        case .phone: .watch
        case .watch: .phone
        }
    }
}

/// A simulated channel with a delay between its two ends. Without tampering, it loses datagrams only after `deafen`,
/// `abandon` or `cut`.
final class Wire {
    private struct Lane {
        var underway: [(due: Instant, datagram: [UInt8])] = []
        var isHeard = true
    }

    let ends: [LinkEnd: AirChannel]
    private var lanes: [LinkEnd: Lane] = [.phone: Lane(), .watch: Lane()]
    private let tamper: (LinkEnd, [UInt8]) -> [[UInt8]]

    init(tamper: @escaping (LinkEnd, [UInt8]) -> [[UInt8]]) {
        ends = [.phone: AirChannel(), .watch: AirChannel()]
        self.tamper = tamper
    }

    func channel(of end: LinkEnd) -> AirChannel {
        guard let channel = ends[end] else { preconditionFailure("a wire has both ends") }
        return channel
    }

    var isOver: Bool { LinkEnd.allCases.allSatisfy { !channel(of: $0).isOpen } }

    var isUp: Bool { LinkEnd.allCases.allSatisfy { channel(of: $0).isOpen } }

    var isClear: Bool { lanes.values.allSatisfy { $0.isHeard } }

    var nextDue: Instant? { lanes.values.compactMap { $0.underway.first?.due }.min() }

    var isEmpty: Bool { lanes.values.allSatisfy(\.underway.isEmpty) }

    /// Drops every datagram that would arrive at `end` from now on. Neither end is notified.
    func deafen(_ end: LinkEnd) { lanes[end]?.isHeard = false }

    /// Closes the channel at one end. The other end is not notified, and no more datagrams arrive at either end.
    func abandon(_ end: LinkEnd) {
        for end in LinkEnd.allCases { deafen(end) }
        channel(of: end).end()
    }

    func cut() {
        for end in LinkEnd.allCases {
            lanes[end]?.underway = []
            channel(of: end).end()
        }
    }

    func takeSent(at now: Instant, delay: Microseconds) -> Bool {
        var isNews = false
        for sender in LinkEnd.allCases {
            for datagram in channel(of: sender).takeSent() {
                isNews = true
                // No datagram overtakes an earlier one.
                let due = max(now + delay, lanes[sender.other]?.underway.last?.due ?? now)
                lanes[sender.other]?.underway.append((due, datagram))
            }
        }
        return isNews
    }

    /// Delivers the due datagrams. If one end has closed, closes the other end after the last delivery. Returns whether
    /// anything happened.
    func carry(at now: Instant) -> Bool {
        var isNews = false
        for end in LinkEnd.allCases {
            while let first = lanes[end]?.underway.first, first.due <= now {
                lanes[end]?.underway.removeFirst()
                isNews = true
                channel(of: end.other).carried()
                guard lanes[end]?.isHeard == true else { continue }
                for datagram in tamper(end, first.datagram) { channel(of: end).deliver(datagram) }
            }
            guard lanes[end]?.isHeard == true, lanes[end]?.underway.isEmpty == true, channel(of: end).isOpen,
                !channel(of: end.other).isOpen
            else { continue }
            channel(of: end).end()
            isNews = true
        }
        return isNews
    }
}
