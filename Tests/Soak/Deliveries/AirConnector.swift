import Synchronization
import Wormhole

/// The connecting end's way to the other one: the world makes each channel.
final class AirConnector: TransportConnector {
    /// What the world does about an attempt. Everything of a world runs on one thread.
    private struct Attempt: @unchecked Sendable {
        let connect: () -> AirChannel?
    }

    private let attempt: Attempt

    /// - Parameter connect: a channel; nil where nobody is in reach.
    init(_ connect: @escaping () -> AirChannel?) {
        attempt = Attempt(connect: connect)
    }

    func connect() async throws(WormholeError) -> any DatagramTransport {
        guard let channel = attempt.connect() else { throw .nobodyListening(path: "air") }
        return channel
    }
}
