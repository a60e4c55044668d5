import HostSystem
import Wormhole

/// The place where a phone waits for channels, which the world opens.
final class AirListener: TransportListener {
    private enum Phase {
        case open
        case closed
    }

    private struct Contents {
        var phase = Phase.open
        var arrived: [AirChannel] = []
    }

    private let contents = WaitableState(Contents())

    func accept() async throws(WormholeError) -> any DatagramTransport {
        let channel: AirChannel? = try await contents.wait { contents throws(WormholeError) in
            if case .closed = contents.phase { throw .closed }
            return contents.arrived.isEmpty ? nil : contents.arrived.removeFirst()
        }
        guard let channel else { throw .closed }
        return channel
    }

    func close() {
        contents.change { $0.phase = .closed }
    }

    /// A peer has connected.
    func offer(_ channel: AirChannel) {
        contents.change { $0.arrived.append(channel) }
    }
}
