import Synchronization

/// Devices that tried to pair without comparing digits. One of them may have guessed a passkey before it was disconnected,
/// and its link then has the security level that a channel needs: so they get no channel, until the wearer has confirmed
/// their digits.
public final class BannedPeers: Sendable {
    /// An attacker can have any number of addresses; each is banned for longer than its link can last.
    static let most = 64

    private let peers = Mutex<[BluetoothPeer]>([])

    /// Nobody is banned.
    public init() {}

    /// Whether a device is banned.
    package func contains(_ peer: BluetoothPeer) -> Bool { peers.withLock { $0.contains(peer) } }

    func ban(_ peer: BluetoothPeer) {
        peers.withLock { peers in
            peers.removeAll { $0 == peer }
            peers.append(peer)
            if peers.count > BannedPeers.most { peers.removeFirst() }
        }
    }

    func admit(_ peer: BluetoothPeer) {
        peers.withLock { peers in peers.removeAll { $0 == peer } }
    }
}
