import WatchLink

/// A question: does the other device show these digits?
public struct PairingRequest: Hashable, Sendable {
    /// The device that wants to pair.
    public var peer: BluetoothPeer
    /// The adapter that it asks, such as `hci0`.
    public var adapter: String
    /// The six digits to compare.
    public var digits: String

    /// A question.
    public init(peer: BluetoothPeer, adapter: String, digits: String) {
        self.peer = peer
        self.adapter = adapter
        self.digits = digits
    }
}

/// The answer to it.
public enum PairingDecision: Hashable, Sendable {
    /// The digits are the same.
    case accept
    /// The digits differ, or the person does not want to pair.
    case reject
}

/// Asks somebody to compare the digits. Its task is cancelled when the question is void: the other side has gone or
/// said no, or the time is over; what it returns then counts for nothing.
public typealias PairingAnswer = @Sendable (PairingRequest) async -> PairingDecision

/// How long things take at most.
public enum BluetoothLimits {
    /// For a person to compare digits: less than the 30 s after which the other side gives up (Core Specification 5.4,
    /// volume 3, part H, section 3.4).
    public static let comparison = Microseconds.seconds(25)
    /// For looking around: devices are mostly found within 0.1 s, now and then after 10 s.
    public static let discovery = Microseconds.seconds(15)
}
