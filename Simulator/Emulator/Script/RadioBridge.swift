import DeviceModel
import Watch
import WatchLink

/// Carries datagrams between a radio port and a firmware's serial line. On the line, they travel through a `SerialChannel`.
/// Each call takes the port as an argument. If the bridge stored the port, all copies of the bridge would share one port.
///
/// In each direction, the bridge delivers a datagram only after the receiver has taken the previous one. When the port has a
/// new connection, the bridge opens a new channel to the board. When the board closes its channel, the bridge ends the port's
/// connection.
package struct RadioBridge: Sendable {
    private enum Connection: Equatable, Sendable {
        case none
        /// The port has the connection with this number, and the bridge has begun to open a channel for it. The board may not
        /// have answered yet.
        case carried(UInt32)
        /// The channel for the connection with this number has ended, and the bridge has disconnected the port.
        case ended(UInt32)
    }

    /// The maximum size of `unheard` in bytes: 1 MiB. The bridge drops bytes for which it has no room. A correct board sends
    /// far less while the port is busy.
    package static var mostUnheard: Int { 1 << 20 }

    private var channel = SerialChannel(role: .bridge)
    private var connection = Connection.none
    private var frames = FrameReader(largestPayload: SerialChannel.largestPacket(sdu: WatchLimits.largestSDU))
    /// Bytes from the board that the bridge has not read yet. It reads no more while the datagram in `arrived` waits for the
    /// port.
    private(set) var unheard: [UInt8] = []
    /// A datagram from the board for which the port has no room.
    private var arrived: [UInt8]?
    /// A datagram from the port that the channel does not accept yet.
    private var waiting: [UInt8]?
    /// The datagram that the channel is sending.
    private var underWay: [UInt8] = []
    private var said: [UInt8] = []

    /// The latest time for the next call of `service`; nil if there is no limit.
    package func deadline(_ port: any RadioPort) -> Instant? {
        [channel.deadline, port.interest.wakeAt].compactMap { $0 }.min()
    }

    package mutating func service(hearing bytes: [UInt8], at now: Instant, _ port: any RadioPort) -> [UInt8] {
        if unheard.count + bytes.count <= RadioBridge.mostUnheard { unheard += bytes }
        port.service(at: now)
        followPort(at: now, port)
        handOn(to: port)
        speak(at: now)
        hear(at: now, port)
        offer(at: now, port)
        followChannel(port)
        defer { said = [] }
        return said
    }

    private mutating func followPort(at now: Instant, _ port: any RadioPort) {
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

    private mutating func followChannel(_ port: any RadioPort) {
        guard case .carried(let number) = connection, channel.state == .closed else { return }
        forget()
        connection = .ended(number)
        port.disconnect()
    }

    private mutating func forget() {
        arrived = nil
        waiting = nil
    }

    /// Handles frames from the board until no bytes are left, or until the port has no room for a datagram.
    private mutating func hear(at now: Instant, _ port: any RadioPort) {
        var position = 0
        while arrived == nil, position < unheard.count {
            let byte = unheard[position]
            position += 1
            guard let packet = frames.take(byte) else { continue }
            switch channel.receive(packet.span) {
            case .none, .opened, .closed: break
            case .datagram:
                arrived = Array(packet.dropFirst(SerialPacket.headSize))
                handOn(to: port)
            }
            speak(at: now)
        }
        unheard.removeFirst(position)
    }

    private mutating func handOn(to port: any RadioPort) {
        guard let datagram = arrived else { return }
        switch port.send(datagram.span) {
        case .busy: return
        case .sent: channel.took()
        // The port's state says why. For the board, the connection has ended.
        case .refused: channel.close()
        }
        arrived = nil
    }

    /// Sends datagrams from the port to the board until the channel accepts no more.
    private mutating func offer(at now: Instant, _ port: any RadioPort) {
        while case .open = channel.state {
            if waiting == nil { waiting = next(of: port) }
            guard let datagram = waiting, channel.send(at: now) else { return }
            underWay = datagram
            waiting = nil
            speak(at: now)
        }
    }

    private func next(of port: any RadioPort) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: WatchLimits.largestSDU)
        var span = buffer.mutableSpan
        guard let count = port.receive(into: &span) else { return nil }
        // A datagram that is too long for the connection is cut. The session detects that.
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

package struct FrameReader: Sendable {
    private var decoder = SerialDecoder()
    private var buffer: [UInt8]

    /// - Parameter largestPayload: the maximum size of a payload in bytes. The reader drops frames with a larger payload.
    package init(largestPayload: Int) {
        buffer = [UInt8](repeating: 0, count: largestPayload + SerialFrame.checkSize)
    }

    package mutating func take(_ byte: UInt8) -> [UInt8]? {
        // `mutableSpan` needs exclusive access to `self`.
        var decoder = decoder
        var span = buffer.mutableSpan
        let count = decoder.take(byte, into: &span)
        self.decoder = decoder
        return count.map { Array(buffer.prefix($0)) }
    }
}

extension SerialFrame {
    /// Encodes a payload as a frame. The payload is `head` followed by `body`.
    package static func bytes(_ head: [UInt8], _ body: [UInt8] = []) -> [UInt8] {
        var encoder = SerialEncoder(head.span, body.span)
        var bytes: [UInt8] = []
        while let byte = encoder.next() { bytes.append(byte) }
        return bytes
    }
}
