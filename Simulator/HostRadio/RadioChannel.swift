import DeviceModel
import Watch
import WatchLink
import Wormhole

/// One connection of a radio that is made of sockets.
struct RadioChannel {
    /// The result of sending a datagram.
    enum SendOutcome: Equatable {
        /// The channel is open; the radio reports this.
        case answered(RadioOutcome)
        /// The channel has ended.
        case over
    }

    /// The result of looking for a datagram.
    enum ReceiveOutcome: Equatable {
        /// A datagram of `count` bytes; the buffer holds as many of them as fit.
        case datagram(count: Int)
        /// No datagram is waiting.
        case nothing
        /// The channel has ended.
        case over
    }

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

    /// The state that the radio reports to the watch.
    var state: RadioState { .up(connection: connection, maximumSDU: maximumSDU) }

    /// What to poll for: room as well, after a datagram was refused as busy.
    var watching: RadioInterest.Watching {
        switch (socket.fileDescriptor, room) {
        case (nil, _): .nothing
        case (let descriptor?, .free): .readable(descriptor)
        case (let descriptor?, .awaited): .readableOrWritable(descriptor)
        }
    }

    /// Sends one datagram.
    mutating func send(_ datagram: Span<UInt8>) -> SendOutcome {
        do throws(WormholeError) {
            switch try socket.send(datagram) {
            case .sent:
                room = .free
                return .answered(.sent)
            case .busy:
                room = .awaited
                return .answered(.busy)
            }
        } catch {
            if case .datagramTooLong = error { return .answered(.refused) }
            return .over
        }
    }

    /// Copies the next datagram into `buffer`.
    func receive(into buffer: inout MutableSpan<UInt8>) -> ReceiveOutcome {
        do throws(WormholeError) {
            switch try socket.receive(into: &buffer) {
            case .datagram(let count), .truncated(let count): return .datagram(count: count)
            case .nothing: return .nothing
            case .closed: return .over
            }
        } catch {
            return .over
        }
    }

    /// Closes the channel.
    func close() { socket.close() }
}
