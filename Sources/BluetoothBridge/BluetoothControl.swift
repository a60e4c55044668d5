import HostSystem
import WatchLink

/// Control over the Bluetooth adapters of one machine. `BlueZControl` controls this machine's adapters through BlueZ.
/// `InMemoryControl` controls simulated ones.
///
/// Adapters have the kernel's names, such as `hci0`. Every function may throw `.noBus`, `.noDaemon` or `.notAllowed` at
/// once, if BlueZ cannot be reached. It may also throw `.timedOut`, `.refused`, and `.cancelled` if the task is cancelled.
/// A function with an adapter may also throw `.noAdapter` and `.adapterDown`.
public protocol BluetoothControl: Sendable {
    /// The adapters of the machine, sorted by name.
    func adapters() async throws(BluetoothError) -> [BluetoothAdapter]

    /// Switches an adapter on, and returns when it is on. Throws `.adapterBlocked` if rfkill forbids it.
    func powerOn(_ adapter: String) async throws(BluetoothError)

    /// The devices that an adapter knows: bonded, connected and recently discovered ones.
    func devices(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice]

    /// Discovers devices nearby that advertise `service`, or all devices if `service` is nil. The discovery ends after `limit`,
    /// or when `isEnough` returns true for a device. Returns each device in its last reported state.
    func discover(
        _ service: BluetoothUUID?, on adapter: String, for limit: Microseconds,
        until isEnough: @escaping @Sendable (BluetoothDevice) -> Bool
    ) async throws(BluetoothError) -> [BluetoothDevice]

    /// Pairs with a device nearby; this side starts the pairing. When this returns, the keys are stored. Cancelling the
    /// task cancels the pairing.
    ///
    /// Both sides show six digits, and `answer` asks the user to compare them. A pairing without that comparison is
    /// refused, even if the device has no display.
    ///
    /// - Throws: `.alreadyPaired`; `.outOfReach`; `.notCompared` if the device wants to pair in another way;
    ///   `.pairingFailed`, for example if either side rejects the digits.
    func pair(
        with peer: BluetoothPeer, on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError)

    /// Answers pairings that other devices start, until the registration ends. `answer` asks the user to compare the
    /// digits; nil refuses all pairings. A newer registration replaces an older one. Without a registration, BlueZ may
    /// accept a pairing without asking the user.
    ///
    /// The control refuses a device that begins to pair without a comparison of digits. It switches pairing off until the
    /// next registration, calls `refuse`, and disconnects the device. It also deletes the device's keys, unless the device
    /// was bonded already.
    func answerPairing(
        on adapter: String, asking answer: PairingAnswer?, refusing refuse: @escaping PairingRefusal
    ) async throws(BluetoothError) -> BluetoothRegistration

    /// Deletes a device and its keys. An unknown device is no error.
    func forget(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// Connects to a device, and returns when its services are known. Throws `.outOfReach` if the device does not answer.
    func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// Ends the connection to a device, if there is one.
    func disconnect(from peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// The PSM of the L2CAP channel that a connected watch serves. Throws `.noService` if the device is not a Tapline watch,
    /// `.outOfReach` if it is not connected.
    func channelNumber(of peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) -> UInt16

    /// Advertises until the registration ends.
    func advertise(
        _ advertisement: BluetoothAdvertisement, on adapter: String
    ) async throws(BluetoothError) -> BluetoothRegistration

    /// Offers a watch's services until the registration ends.
    func serve(_ services: WatchServices, on adapter: String) async throws(BluetoothError) -> BluetoothRegistration
}

extension BluetoothControl {
    /// Returns the adapter with this name. If `name` is nil, returns the first adapter that is on, or the first of all if
    /// none is on. Throws `.noAdapter` if there is no such adapter.
    public func adapter(named name: String?) async throws(BluetoothError) -> BluetoothAdapter {
        let adapters = try await adapters()
        let chosen =
            if let name { adapters.first { $0.name == name } } else {
                adapters.first(where: \.isOn) ?? adapters.first
            }
        guard let chosen else { throw .noAdapter(name: name) }
        return chosen
    }

    /// Discovers devices that advertise a service, until `limit` is over.
    public func discover(
        _ service: BluetoothUUID, on adapter: String, for limit: Microseconds
    ) async throws(BluetoothError) -> [BluetoothDevice] {
        try await discover(service, on: adapter, for: limit) { _ in false }
    }

    /// Answers pairings that other devices start. The caller does not learn of the pairings that are refused.
    public func answerPairing(
        on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) -> BluetoothRegistration {
        try await answerPairing(on: adapter, asking: answer) { _, _ in }
    }

    /// The devices for which an adapter stores keys.
    public func bonds(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice] {
        try await devices(on: adapter).filter(\.isBonded)
    }
}

/// A registration of this program with BlueZ, for advertising, serving or answering pairings. If the bus, bluetoothd or the
/// adapter goes away, the registration is repeated as soon as they are back.
public final class BluetoothRegistration: Sendable {
    /// The state of a registration.
    public enum State: Hashable, Sendable {
        case active
        /// BlueZ does not have the registration, because of this error. The registration will be repeated.
        case waiting(BluetoothError)
        case ended
    }

    private let state: Published<State>
    private let work: Task<Void, Never>

    package init(state: Published<State>, work: Task<Void, Never>) {
        self.state = state
        self.work = work
    }

    deinit { work.cancel() }

    /// Streams the present state, and then each new one. A slow reader receives only the newest.
    public func states() -> AsyncStream<State> { state.values() }

    /// Ends the registration, and returns when BlueZ has confirmed the end. If this object is released, the registration
    /// ends too, but the program does not wait for BlueZ.
    public func end() async {
        work.cancel()
        await work.value
        state.set(.ended)
    }
}

/// A question to the user: whether the other device shows the same six digits.
public struct PairingRequest: Hashable, Sendable {
    /// The other device.
    public var peer: BluetoothPeer
    /// The adapter of this side, such as `hci0`.
    public var adapter: String
    /// The six digits to compare.
    public var digits: String

    /// Makes a request. Implementations of `BluetoothControl` call this for each pairing.
    public init(peer: BluetoothPeer, adapter: String, digits: String) {
        self.peer = peer
        self.adapter = adapter
        self.digits = digits
    }
}

/// The answer to a pairing request.
public enum PairingDecision: Hashable, Sendable {
    case accept
    /// The digits differ, or the user does not want to pair.
    case reject
}

/// Asks the user to compare the digits. If the pairing ends before the user answers, the task that runs this function is
/// cancelled and the result is ignored.
public typealias PairingAnswer = @Sendable (PairingRequest) async -> PairingDecision

/// A way to pair other than comparing digits.
public enum PairingMethod: Hashable, Sendable {
    /// One side shows six digits, and the user types them on the other side. A device that guesses the digits is paired
    /// too.
    case passkey
    /// The user types a PIN. This method is older than LE Secure Connections.
    case pin
    /// The two sides pair without digits ("just works").
    case justWorks
}

extension PairingMethod: CustomStringConvertible {
    /// The method as words that follow "pair", such as "with a PIN".
    public var description: String {
        switch self {
        case .passkey: "with a passkey"
        case .pin: "with a PIN"
        case .justWorks: "without digits"
        }
    }
}

/// Called when the control has refused a device that began to pair by this method instead of comparing digits. The
/// connection to the device is about to end.
public typealias PairingRefusal = @Sendable (BluetoothPeer, PairingMethod) -> Void

enum BluetoothLimits {
    /// How long the user may take to compare the digits. The other side gives up after 30 s (Core Specification 5.4, volume
    /// 3, part H, section 3.4), so this time is shorter.
    static let comparison = Microseconds.seconds(25)
    /// The maximum time to discover a device before pairing. Most devices are found within 0.1 s, but some only after 10 s.
    static let discovery = Microseconds.seconds(15)
}
