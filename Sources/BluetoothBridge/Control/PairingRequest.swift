import WatchLink

/// A question: does the other device show these digits?
public struct PairingRequest: Hashable, Sendable {
    /// The other device.
    public var peer: BluetoothPeer
    /// The adapter of this side, such as `hci0`.
    public var adapter: String
    /// The six digits to compare.
    public var digits: String

    /// A request as a `BluetoothControl` makes it; see the properties.
    public init(peer: BluetoothPeer, adapter: String, digits: String) {
        self.peer = peer
        self.adapter = adapter
        self.digits = digits
    }
}

/// The answer to a pairing request.
public enum PairingDecision: Hashable, Sendable {
    /// The digits are the same.
    case accept
    /// The digits differ, or the person does not want to pair.
    case reject
}

/// Asks a person to compare the digits. Its task is cancelled, and its result ignored, when the question is void: the
/// other side has gone or rejected the digits, or the time is over.
public typealias PairingAnswer = @Sendable (PairingRequest) async -> PairingDecision

/// How a device wanted to pair, where that was not by comparing digits.
public enum PairingMethod: Hashable, Sendable {
    /// By six digits that one side shows and a person types on the other. Whoever guesses them is paired.
    case passkey
    /// By a PIN, from before LE Secure Connections.
    case pin
    /// Without digits ("just works").
    case justWorks
}

extension PairingMethod: CustomStringConvertible {
    /// The method, as a part of a sentence.
    public var description: String {
        switch self {
        case .passkey: "with a passkey"
        case .pin: "with a PIN"
        case .justWorks: "without digits"
        }
    }
}

/// A pairing that another device began without a comparison of digits, and that this side has ended.
public struct RefusedPairing: Hashable, Sendable {
    /// The other device.
    public var peer: BluetoothPeer
    /// How it wanted to pair.
    public var method: PairingMethod

    /// A refusal as a `BluetoothControl` reports it; see the properties.
    public init(peer: BluetoothPeer, method: PairingMethod) {
        self.peer = peer
        self.method = method
    }
}

/// Learns of a pairing that was refused. The link to the device is being ended.
public typealias PairingRefusal = @Sendable (RefusedPairing) -> Void

/// Limits of time.
enum BluetoothLimits {
    /// For a person to compare digits: less than the 30 s after which the other side gives up (Core Specification 5.4,
    /// volume 3, part H, section 3.4).
    static let comparison = Microseconds.seconds(25)
    /// For a discovery: devices are mostly found within 0.1 s, sometimes after 10 s.
    static let discovery = Microseconds.seconds(15)
}
