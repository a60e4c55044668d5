import DeviceModel
import Watch
import WatchLink

/// Carries datagrams between a radio port and the firmware's radio line.
///
/// One datagram either way at a time, and the next one when that has arrived, so neither end runs ahead. A new
/// connection of the port is a new channel; a channel that the board closes ends the port's connection.
struct RadioBridge {
    private enum Connection: Equatable {
        case none
        /// The board knows of it, or is about to.
        case carried(UInt32)
        /// Its channel has ended, and the port was told.
        case ended(UInt32)
    }

    /// 1 MiB of the line that waits while the port has no room. A board that waits for its turn says far less.
    static var mostUnheard: Int { 1 << 20 }

    private let port: any RadioPort
    private var channel = SerialChannel(role: .bridge)
    private var connection = Connection.none
    private var frames = FrameReader(largestPayload: SerialChannel.largestPacket(sdu: WatchLimits.largestSDU))
    /// Bytes of the line behind a datagram that was not handed on yet.
    private(set) var unheard: [UInt8] = []
    /// A datagram from the board that the port had no room for.
    private var arrived: [UInt8]?
    /// A datagram from the port that the channel has not taken.
    private var waiting: [UInt8]?
    /// A datagram that the channel has taken.
    private var underWay: [UInt8] = []
    private var said: [UInt8] = []

    init(to port: any RadioPort) {
        self.port = port
    }

    /// When to call `service` at the latest.
    var deadline: Instant? {
        [channel.deadline, port.interest.wakeAt].compactMap { $0 }.min()
    }

    /// While a datagram of the port waits for the channel, another one is no event.
    var interest: RadioInterest {
        var interest = port.interest
        switch (interest.watching, waiting) {
        case (_, nil): break
        case (.readableOrWritable, .some) where arrived != nil: break
        case (_, .some): interest.watching = .nothing
        }
        return interest
    }

    /// Hears the line, and returns what to say on it.
    mutating func service(hearing bytes: [UInt8], at now: Instant) -> [UInt8] {
        if unheard.count + bytes.count <= RadioBridge.mostUnheard { unheard += bytes }
        port.service(at: now)
        followPort(at: now)
        handOn()
        speak(at: now)
        hear(at: now)
        offer(at: now)
        followChannel()
        defer { said = [] }
        return said
    }

    /// Follows the port's connection.
    private mutating func followPort(at now: Instant) {
        switch (port.state, connection) {
        case (.down, .none): break
        case (.down, .carried), (.down, .ended):
            forget()
            channel.close()
            connection = .none
        case (.up(let number, _), .carried(let current)) where number == current: break
        case (.up(let number, _), .ended(let current)) where number == current: break
        case (.up(let number, let maximumSDU), _):
            forget()
            channel.open(
                token: number, maximumSDU: UInt16(min(maximumSDU, WatchLimits.largestSDU)), at: now)
            connection = .carried(number)
        }
    }

    private mutating func followChannel() {
        guard case .carried(let number) = connection, channel.state == .closed else { return }
        forget()
        connection = .ended(number)
        port.disconnect()
    }

    private mutating func forget() {
        arrived = nil
        waiting = nil
    }

    /// Takes what the board said, up to a datagram that the port has no room for.
    private mutating func hear(at now: Instant) {
        var position = 0
        while arrived == nil, position < unheard.count {
            let byte = unheard[position]
            position += 1
            guard let packet = frames.take(byte) else { continue }
            switch channel.receive(packet.span) {
            case .none, .opened, .closed: break
            case .datagram:
                arrived = Array(packet.dropFirst(SerialPacket.headSize))
                handOn()
            }
            speak(at: now)
        }
        unheard.removeFirst(position)
    }

    private mutating func handOn() {
        guard let datagram = arrived else { return }
        switch port.send(datagram.span) {
        case .busy: return
        case .sent: channel.took()
        // The port's state tells the rest; the board learns of it as of a connection that has gone.
        case .refused: channel.close()
        }
        arrived = nil
    }

    /// Gives the board the port's datagrams, as far as the channel takes them.
    private mutating func offer(at now: Instant) {
        while case .open = channel.state {
            if waiting == nil { waiting = nextOfPort() }
            guard let datagram = waiting, channel.send(at: now) else { return }
            underWay = datagram
            waiting = nil
            speak(at: now)
        }
    }

    private func nextOfPort() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: WatchLimits.largestSDU)
        var span = buffer.mutableSpan
        guard let count = port.receive(into: &span) else { return nil }
        // One that is longer than the connection takes comes cut, which the session above notices.
        return Array(buffer.prefix(count))
    }

    private mutating func speak(at now: Instant) {
        while let packet = channel.next(at: now) {
            var head = [UInt8](repeating: 0, count: SerialPacket.largestHead)
            var span = head.mutableSpan
            let count = packet.write(into: &span)
            switch packet {
            case .data: said += SerialFrame.bytes(Array(head.prefix(count)), underWay)
            case .open, .opened, .closed, .taken: said += SerialFrame.bytes(Array(head.prefix(count)))
            }
        }
    }
}
