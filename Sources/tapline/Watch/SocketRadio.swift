import DeviceModel
import Glibc
import Watch
import WatchLink
import Wormhole

/// A watch's radio made of a Unix socket: it connects to the phone's host, and again whenever the channel is lost.
final class SocketRadio: RadioPort {
    private enum Channel {
        /// Nobody serves the socket; the next attempt is due at this time.
        case down(nextAttempt: Instant)
        /// Connected. A datagram that was refused as busy waits for room.
        case up(DatagramSocket, connection: UInt32, Room)
    }

    /// Whether the socket took the last datagram.
    private enum Room {
        case free
        case awaited
    }

    /// Time between two attempts to connect: short against what a person notices, long against the few microseconds that
    /// one takes.
    private static var retryInterval: Microseconds { .milliseconds(100) }

    private let path: String
    private var channel = Channel.down(nextAttempt: .start)
    private var connections: UInt32 = 0

    /// A radio that connects to the socket at `path`.
    init(path: String) {
        self.path = path
    }

    var state: RadioState {
        switch channel {
        case .down: .down
        case .up(_, let connection, _): .up(connection: connection, maximumSDU: WatchLimits.largestSDU)
        }
    }

    var interest: RadioInterest {
        switch channel {
        case .down(let nextAttempt): RadioInterest(.nothing, wakeAt: nextAttempt)
        case .up(let socket, _, let room):
            switch (socket.fileDescriptor, room) {
            case (nil, _): RadioInterest(.nothing)
            case (let descriptor?, .free): RadioInterest(.readable(descriptor))
            case (let descriptor?, .awaited): RadioInterest(.readableOrWritable(descriptor))
            }
        }
    }

    func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        guard case .up(let socket, let connection, _) = channel else { return .refused }
        do throws(WormholeError) {
            switch try socket.send(datagram) {
            case .sent:
                channel = .up(socket, connection: connection, .free)
                return .sent
            case .busy:
                channel = .up(socket, connection: connection, .awaited)
                return .busy
            }
        } catch {
            if case .datagramTooLong = error { return .refused }
            lose(socket)
            return .refused
        }
    }

    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard case .up(let socket, _, _) = channel else { return nil }
        do throws(WormholeError) {
            switch try socket.receive(into: &buffer) {
            case .datagram(let count), .truncated(let count): return count
            case .nothing: return nil
            case .closed: lose(socket)
            }
        } catch {
            lose(socket)
        }
        return nil
    }

    func disconnect() {
        guard case .up(let socket, _, _) = channel else { return }
        lose(socket)
    }

    func service(at now: Instant) {
        guard case .down(let nextAttempt) = channel, nextAttempt <= now else { return }
        do throws(WormholeError) {
            let socket = try DatagramSocket.connect(toPath: path)
            // Whoever else made a socket of that name is no phone of this user.
            try socket.peerCredentials().demand(user: geteuid())
            connections += 1
            channel = .up(socket, connection: connections, .free)
        } catch {
            channel = .down(nextAttempt: now + Self.retryInterval)
        }
    }

    /// Gives the channel up; the next `service` connects again.
    private func lose(_ socket: DatagramSocket) {
        socket.close()
        channel = .down(nextAttempt: .start)
    }
}
