import DeviceModel
import Glibc
import Watch
import WatchLink
import Wormhole

/// A watch's radio made of a Unix socket: it connects to the phone's host, and connects again whenever the channel is lost.
///
/// Only a host that runs as the same user is accepted.
public final class SocketRadio: RadioPort {
    private enum Link {
        /// Not connected; the next `service` makes an attempt.
        case down
        /// The last attempt failed; the next one is due at this time.
        case resting(until: Instant)
        /// Connected.
        case up(RadioChannel)
    }

    /// Time between two attempts to connect: short against what a person notices, long against the few microseconds that
    /// one takes.
    private static var retryInterval: Microseconds { .milliseconds(100) }

    private let path: String
    private var link = Link.down
    private var connections: UInt32 = 0

    /// A radio that connects to the socket at `path`.
    public init(path: String) {
        self.path = path
    }

    public var state: RadioState {
        switch link {
        case .down, .resting: .down
        case .up(let channel): channel.state
        }
    }

    public var interest: RadioInterest {
        switch link {
        case .down: RadioInterest(.nothing, wakeAt: .start)
        case .resting(let end): RadioInterest(.nothing, wakeAt: end)
        case .up(let channel): RadioInterest(channel.watching)
        }
    }

    public func send(_ datagram: Span<UInt8>) -> RadioOutcome {
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

    public func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
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
    public func disconnect() {
        guard case .up(let channel) = link else { return }
        channel.close()
        link = .down
    }

    public func service(at now: Instant) {
        switch link {
        case .up: return
        case .resting(let end) where end > now: return
        case .resting, .down: break
        }
        do throws(WormholeError) {
            let socket = try DatagramSocket.connect(toPath: path)
            // A socket of this name that another user made is not this user's phone.
            try socket.peerCredentials().demand(user: geteuid())
            connections += 1
            link = .up(RadioChannel(socket, connection: connections, maximumSDU: WatchLimits.largestSDU))
        } catch {
            link = .resting(until: now + Self.retryInterval)
        }
    }
}
