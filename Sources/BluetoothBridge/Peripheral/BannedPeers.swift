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

    /// What was known of a device before it was admitted.
    enum Standing: Hashable, Sendable {
        case banned
        case unknown
    }

    /// Bans a device no longer.
    ///
    /// - Returns: what it was, for who has to take that back.
    @discardableResult func admit(_ peer: BluetoothPeer) -> Standing {
        peers.withLock { peers in
            guard peers.contains(peer) else { return .unknown }
            peers.removeAll { $0 == peer }
            return .banned
        }
    }
}
