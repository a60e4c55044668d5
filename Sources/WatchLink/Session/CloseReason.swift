/// Why a link was closed.
public enum CloseReason: Equatable, Sendable, BitwiseCopyable {
    /// This program ends, or no longer wants the link.
    case goingAway
    /// This peer is not wanted here.
    case refused
    /// A newer connection of the same peer took over.
    case replaced
    /// The peer remembers more of our streams than we do: we have lost a part and need a new epoch.
    case historyLost
    /// This watch belongs to another phone, for which messages wait.
    case otherPhone
    /// The peer speaks this version of the protocol, and this side another one.
    case otherVersion(peer: UInt8)
    /// The peer broke the protocol.
    case protocolFault(ProtocolFault)
    /// Nothing arrived for the supervision time.
    case silent
    /// The peer's hello did not arrive in time.
    case noHello
    /// The transport carries less than the longest control frame.
    case transportTooSmall
    /// The peer sent a goodbye.
    case peerLeft(Goodbye)

    /// The goodbye to send before the transport is closed, nil where it would not arrive.
    public var goodbye: Goodbye? {
        switch self {
        case .goingAway: Goodbye(.goingAway)
        case .refused: Goodbye(.refused)
        case .replaced: Goodbye(.replaced)
        case .historyLost: Goodbye(.historyLost)
        case .otherPhone: Goodbye(.otherPhone)
        case .otherVersion: Goodbye(.version, version: Hello.version)
        case .protocolFault(let fault): Goodbye(.protocolFault, fault: fault)
        case .silent, .noHello, .transportTooSmall, .peerLeft: nil
        }
    }

    /// Whether reconnecting is pointless until either side is upgraded or configured differently. The side that
    /// connects then waits for `ReconnectDelay.unwanted`.
    public var isFinal: Bool {
        switch self {
        case .otherVersion, .refused, .otherPhone, .transportTooSmall: true
        case .goingAway, .replaced, .historyLost, .protocolFault, .silent, .noHello: false
        case .peerLeft(let goodbye): goodbye.reason.isFinal
        }
    }

    /// The reason at the side that receives a goodbye.
    init(hearing goodbye: Goodbye) {
        if goodbye.reason == .version, let version = goodbye.version {
            self = .otherVersion(peer: version)
        } else {
            self = .peerLeft(goodbye)
        }
    }
}
