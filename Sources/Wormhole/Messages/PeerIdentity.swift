import HostSystem
import WatchLink

/// Identifies the peer at the other end of a link.
public struct PeerIdentity: RawRepresentable, Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    /// The 64-bit identity in the peer's hello; zero stands for the phone.
    public let rawValue: UInt64

    /// The peer of this identity.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The one peer of an endpoint in the watch's role: its phone, whichever phone that is. A phone knows each watch by
    /// the identity in the watch's hello, which is never zero.
    public static let phone = PeerIdentity(rawValue: 0)

    /// Peers are ordered by number.
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
    /// Every peer. A queued message is queued for each peer that is known now; a latest value also reaches those that
    /// connect later.
    case everyone
    /// One peer alone.
    case only(PeerIdentity)

    /// Whether `peer` is one of them.
    public func include(_ peer: PeerIdentity) -> Bool {
        switch self {
        case .everyone: true
        case .only(let one): one == peer
        }
    }
}

/// Who is at the other end of a channel, as the operating system vouches for it: nothing here comes from the peer's own
/// words, so a peer cannot choose it. The identity in its hello can be compared with this.
public enum TransportPeer: Hashable, Sendable {
    /// A process of this machine, as the kernel recorded it when the channel was opened (`SO_PEERCRED`, unix(7)): its
    /// user, and its number, which another process may have later.
    case process(user: UInt32, number: Int32)
    /// A device with authenticated keys that this machine's adapter stores.
    ///
    /// The address is the one of its bond, such as `00:1B:DC:07:32:EF`, and `C0:1B:DC:07:32:EF/random` where the device
    /// has chosen it itself: equal for each of its channels, and different for every other bonded device.
    case bondedDevice(address: String)
    /// Nobody vouches for the other end, for example of a channel in memory.
    case unknown
}

extension TransportPeer {
    /// The number of the process, where it is one.
    var process: Int32? {
        switch self {
        case .process(_, let number): number
        case .bondedDevice, .unknown: nil
        }
    }
}

extension TransportPeer: CustomStringConvertible {
    /// Who it is, for a log: `process 4711 of user 1000`, or the address of the bond.
    public var description: String {
        switch self {
        case .process(let user, let number): "process \(number) of user \(user)"
        case .bondedDevice(let address): address
        case .unknown: "unknown"
        }
    }
}

/// What a peer has said in its hello, and what follows from it.
package struct PeerHandshake: Equatable, Sendable {
    package let hello: PeerHello
    /// The most bytes that a message to it may have, name included, over the present transport; see
    /// `OutboundMessage.bodySize`. A longer one can never be sent: its sequence goes out without a message.
    package let largestBody: Int
    /// Who the system says is at the other end of the transport that the hello came over.
    package let peer: TransportPeer

    package init(hello: PeerHello, largestBody: Int, from peer: TransportPeer = .unknown) {
        self.hello = hello
        self.largestBody = largestBody
        self.peer = peer
    }

    /// A handshake with a side in `role` over a transport that carries datagrams of up to that length.
    init(hello: PeerHello, with role: LinkRole, largestDatagram: Int, from peer: TransportPeer = .unknown) {
        let frame = min(largestDatagram, Int(hello.limits.largestSDU))
        let body = min(frame - MessageHeader.largestSize(from: role), Int(hello.limits.largestMessage))
        self.init(hello: hello, largestBody: body, from: peer)
    }
}

/// The positions from which the streams between this endpoint and a peer continue.
package struct PeerStreams: Equatable, Sendable {
    /// The epoch of the streams to the peer, never zero.
    package let epoch: UInt32
    package let positions: StreamPositions
    /// How many of the peer's messages were applied and are lost, because an older copy of the store was put back.
    package let lost: UInt32

    package init(epoch: UInt32, positions: StreamPositions, lost: UInt32 = 0) {
        self.epoch = epoch
        self.positions = positions
        self.lost = lost
    }
}
