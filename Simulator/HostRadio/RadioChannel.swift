import DeviceModel
import Watch
import WatchLink
import Wormhole

/// One connection of a radio that is made of sockets.
struct RadioChannel {
    /// Whether the socket has room for a datagram.
    private enum Room {
        /// It accepted the last one.
        case free
        /// It refused the last one as busy.
        case awaited
    }

    private let socket: DatagramSocket
    private let connection: UInt32
    private let maximumSDU: Int
    private var room = Room.free

    /// The channel number `connection`, whose peer accepts datagrams of up to `maximumSDU` bytes.
    init(_ socket: DatagramSocket, connection: UInt32, maximumSDU: Int) {
        self.socket = socket
        self.connection = connection
        self.maximumSDU = maximumSDU
    }

    var state: RadioState { .up(connection: connection, maximumSDU: maximumSDU) }

    /// After a datagram was refused as busy, also room for the next.
    var watching: RadioInterest.Watching {
        switch (socket.fileDescriptor, room) {
        case (nil, _): .nothing
        case (let descriptor?, .free): .readable(descriptor)
        case (let descriptor?, .awaited): .readableOrWritable(descriptor)
        }
    }

    /// Nil where the channel has ended.
    mutating func send(_ datagram: Span<UInt8>) -> RadioOutcome? {
        do throws(WormholeError) {
            switch try socket.send(datagram) {
            case .sent:
                room = .free
                return .sent
            case .busy:
                room = .awaited
                return .busy
            }
        } catch {
            if case .datagramTooLong = error { return .refused }
            return nil
        }
    }

    /// Every error of the system ends the channel.
    func receive(into buffer: inout MutableSpan<UInt8>) -> DatagramSocket.ReceiveOutcome {
        (try? socket.receive(into: &buffer)) ?? .closed
    }

    func close() { socket.close() }
}
