import HostSystem
import WatchLink

/// Identifies the peer at the other end of a link.
public struct PeerIdentity: RawRepresentable, Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    /// The identity in the hello of a watch. Zero stands for the phone, whatever identity its hello has.
    public let rawValue: UInt64

    /// Makes the identity with this raw value.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The only peer of a watch: its phone, whichever phone that is.
    public static let phone = PeerIdentity(rawValue: 0)

    /// Whether `left` has the lower number.
    public static func < (left: PeerIdentity, right: PeerIdentity) -> Bool {
        left.rawValue < right.rawValue
    }

    /// "phone", or the identity in sixteen hexadecimal digits.
    public var description: String {
        guard self != .phone else { return "phone" }
        return "\(HexadecimalText(rawValue))"
    }
}

/// The peers that a message is for.
public enum Recipients: Hashable, Sendable {
    /// Every peer. A queued message goes to each peer that has connected before. A latest value (`Delivery.latest`) also
    /// reaches peers that connect later. An interactive message goes only to the peers that are reachable.
    case everyone
    /// Only this peer.
    case only(PeerIdentity)

    /// Whether `peer` is one of these recipients.
    public func include(_ peer: PeerIdentity) -> Bool {
        switch self {
        case .everyone: true
        case .only(let one): one == peer
        }
    }
}

/// The other end of a channel, as the operating system identifies it. A peer can send a false identity in its hello, but it
/// cannot falsify its `TransportPeer`.
public enum TransportPeer: Hashable, Sendable {
    /// A process of this machine, as the kernel recorded it when the channel opened (`SO_PEERCRED`, unix(7)). `number` is the
    /// process ID, which the kernel may reuse once the process has ended.
    case process(user: UInt32, number: Int32)
    /// A Bluetooth device that is bonded with this machine's adapter, with authenticated keys.
    ///
    /// `address` is the device's address in the bond: `00:1B:DC:07:32:EF` if the manufacturer assigned it, or
    /// `C0:1B:DC:07:32:EF/random` if the device chose it. All channels of the device have this address, and no other bonded
    /// device has it.
    case bondedDevice(address: String)
    /// The operating system does not identify the other end.
    case unknown
}

extension TransportPeer: CustomStringConvertible {
    /// The peer as a log shows it: `process 4711 of user 1000`, or the address of the bond.
    public var description: String {
        switch self {
        case .process(let user, let number): "process \(number) of user \(user)"
        case .bondedDevice(let address): address
        case .unknown: "unknown"
        }
    }
}

package struct PeerHandshake: Equatable, Sendable {
    package let hello: PeerHello
    /// The maximum `OutboundMessage.bodySize`, in bytes, that both the peer and the present transport accept. If a queued message
    /// is larger, this side sends only its sequence.
    package let largestBody: Int
    package private(set) var peer = TransportPeer.unknown
}

extension PeerHandshake {
    init(hello: PeerHello, with role: LinkRole, largestDatagram: Int, from peer: TransportPeer = .unknown) {
        let frame = min(largestDatagram, Int(hello.limits.largestSDU))
        let body = min(frame - MessageHeader.largestSize(from: role), Int(hello.limits.largestMessage))
        self.init(hello: hello, largestBody: body, peer: peer)
    }
}

package struct PeerStreams: Equatable, Sendable {
    /// The epoch of this side's messages to the peer: a random number, never zero.
    package let epoch: UInt32
    package let positions: StreamPositions
    /// How many of the peer's messages this side applied and then lost, because an older copy of the store was restored.
    package private(set) var lost: UInt32 = 0
    /// Maps the old sequence of each waiting message to its new sequence; nil if the messages keep their sequences.
    package private(set) var renumbered: [UInt32: UInt32]?
}
