/// A program's end of a simulated channel. The scenario delivers its datagrams and takes those that it sends.
final class AirChannel {
    private enum Phase {
        case open
        /// The other end is closed. Earlier datagrams can still be received.
        case ended
        case closed
    }

    /// The most datagrams in transit: the credits of a channel.
    private static let capacity = 16
    static let largestDatagram = 512

    private var phase = Phase.open
    private var arrived: [[UInt8]] = []
    private var sent: [[UInt8]] = []
    private var underway = 0

    // MARK: The program's side

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

    /// Whether the other end is closed and everything from it was received.
    var hasEnded: Bool { phase == .ended && arrived.isEmpty }

    func close() { phase = .closed }

    // MARK: The scenario's side

    var isOpen: Bool { phase == .open }

    func takeSent() -> [[UInt8]] {
        defer { sent = [] }
        return sent
    }

    /// Records that a datagram has arrived at the other end.
    func carried() { underway -= 1 }

    func deliver(_ datagram: [UInt8]) { arrived.append(datagram) }

    func end() {
        if phase == .open { phase = .ended }
    }
}
