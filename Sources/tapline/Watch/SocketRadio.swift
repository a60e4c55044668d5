import DeviceModel
import Glibc
import Watch
import WatchLink
import Wormhole

/// A watch's radio made of a Unix socket: it connects to the phone's host, and again whenever the channel is lost.
final class SocketRadio: RadioPort {
    private enum Link {
        /// Nobody serves the socket; the next attempt is due at this time.
        case down(nextAttempt: Instant)
        /// Connected.
        case up(RadioChannel)
    }

    /// Time between two attempts to connect: short against what a person notices, long against the few microseconds that
    /// one takes.
    private static var retryInterval: Microseconds { .milliseconds(100) }

    private let path: String
    private var link = Link.down(nextAttempt: .start)
    private var connections: UInt32 = 0

    /// A radio that connects to the socket at `path`.
    init(path: String) {
        self.path = path
    }

    var state: RadioState {
        switch link {
        case .down: .down
        case .up(let channel): channel.state
        }
    }

    var interest: RadioInterest {
        switch link {
        case .down(let nextAttempt): RadioInterest(.nothing, wakeAt: nextAttempt)
        case .up(let channel): RadioInterest(channel.watching)
        }
    }

    func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        guard case .up(var channel) = link else { return .refused }
        switch channel.send(datagram) {
        case .answered(let outcome):
            link = .up(channel)
            return outcome
        case .over:
            disconnect()
            return .refused
        }
    }

    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard case .up(let channel) = link else { return nil }
        switch channel.receive(into: &buffer) {
        case .datagram(let count): return count
        case .nothing: return nil
        case .over:
            disconnect()
            return nil
        }
    }

    /// Gives the channel up; the next `service` connects again.
    func disconnect() {
        guard case .up(let channel) = link else { return }
        channel.close()
        link = .down(nextAttempt: .start)
    }

    func service(at now: Instant) {
        guard case .down(let nextAttempt) = link, nextAttempt <= now else { return }
        do throws(WormholeError) {
            let socket = try DatagramSocket.connect(toPath: path)
            // Whoever else made a socket of that name is no phone of this user.
            try socket.peerCredentials().demand(user: geteuid())
            connections += 1
            link = .up(RadioChannel(socket, connection: connections, maximumSDU: WatchLimits.largestSDU))
        } catch {
            link = .down(nextAttempt: now + Self.retryInterval)
        }
    }
}
