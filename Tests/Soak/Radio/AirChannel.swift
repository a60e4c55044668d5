/// A program's end of a channel over the air: what the scenario delivers is received, and what is sent waits until the
/// scenario takes it.
final class AirChannel {
    private enum Phase {
        case open
        /// The other end is gone; what arrived before can still be received.
        case ended
        case closed
    }

    /// How many datagrams are on their way before a sender waits: the credits of a channel.
    private static let capacity = 16
    static let largestDatagram = 512

    private var phase = Phase.open
    private var arrived: [[UInt8]] = []
    private var sent: [[UInt8]] = []
    /// Datagrams that are on their way and have not arrived.
    private var underway = 0

    // MARK: The program's side

    var isClosed: Bool { phase == .closed }

    /// Sends a datagram if there is room.
    func send(_ datagram: [UInt8]) -> Bool {
        guard phase == .open, underway < AirChannel.capacity else { return false }
        sent.append(datagram)
        underway += 1
        return true
    }

    func takeArrived() -> [[UInt8]] {
        defer { arrived = [] }
        return phase == .closed ? [] : arrived
    }

    /// Whether the other end is gone, and all that it sent was received.
    var hasEnded: Bool { phase == .ended && arrived.isEmpty }

    func close() { phase = .closed }

    // MARK: The scenario's side

    /// Whether the program has neither closed it nor been told of its end.
    var isOpen: Bool { phase == .open }

    func takeSent() -> [[UInt8]] {
        defer { sent = [] }
        return sent
    }

    /// A datagram has arrived at the other end, so there is room for another.
    func carried() { underway -= 1 }

    func deliver(_ datagram: [UInt8]) { arrived.append(datagram) }

    func end() {
        if phase == .open { phase = .ended }
    }
}
