/// A program's end of a simulated channel. The scenario delivers datagrams to the program, and takes those that the
/// program sends.
final class AirChannel {
    private enum Phase {
        case open
        /// The other end has closed the channel. The program can still receive earlier datagrams.
        case ended
        case closed
    }

    /// The maximum number of datagrams in transit, like the credits of an L2CAP channel.
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

    var hasEnded: Bool { phase == .ended && arrived.isEmpty }

    func close() { phase = .closed }

    // MARK: The scenario's side

    var isOpen: Bool { phase == .open }

    func takeSent() -> [[UInt8]] {
        defer { sent = [] }
        return sent
    }

    /// Records that a datagram from the program is no longer in transit.
    func carried() { underway -= 1 }

    func deliver(_ datagram: [UInt8]) { arrived.append(datagram) }

    func end() {
        if phase == .open { phase = .ended }
    }
}
