import DeviceModel
import Watch
import WatchLink
import Wormhole

/// A channel of a radio that is made of sockets.
struct RadioChannel {
    /// What became of a datagram that was to be sent.
    enum SendOutcome: Equatable {
        /// The channel stands, and this became of it.
        case answered(RadioOutcome)
        /// The channel is over.
        case over
    }

    /// What a look at the channel found.
    enum ReceiveOutcome: Equatable {
        /// A datagram of that many bytes, of which the buffer has those that fit.
        case datagram(count: Int)
        /// None waits.
        case nothing
        /// The channel is over.
        case over
    }

    /// Whether the socket took the last datagram.
    private enum Room {
        case free
        case awaited
    }

    private let socket: DatagramSocket
    private let connection: UInt32
    private let maximumSDU: Int
    private var room = Room.free

    /// The channel number `connection`, whose peer takes datagrams of `maximumSDU` bytes.
    init(_ socket: DatagramSocket, connection: UInt32, maximumSDU: Int) {
        self.socket = socket
        self.connection = connection
        self.maximumSDU = maximumSDU
    }

    /// What the radio tells the watch.
    var state: RadioState { .up(connection: connection, maximumSDU: maximumSDU) }

    /// What to wait for. A datagram that was refused as busy waits for room.
    var watching: RadioInterest.Watching {
        switch (socket.fileDescriptor, room) {
        case (nil, _): .nothing
        case (let descriptor?, .free): .readable(descriptor)
        case (let descriptor?, .awaited): .readableOrWritable(descriptor)
        }
    }

    /// Hands over one datagram.
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
