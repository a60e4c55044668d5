import HostSystem

/// Identifies the peer at the other end of a link.
public struct PeerIdentity: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
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
