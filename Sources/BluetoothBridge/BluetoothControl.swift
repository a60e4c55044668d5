import HostSystem
import WatchLink

/// Bluetooth of this machine, which `BlueZControl` controls through BlueZ; `InMemoryBluetooth` simulates machines.
///
/// Adapters have the kernel's names, such as `hci0`. Every call that talks to BlueZ may throw `.noBus`, `.noDaemon` or
/// `.notAllowed`, at once, `.timedOut`, `.cancelled` if the task is cancelled, and `.refused`; those of an adapter
/// `.noAdapter` and `.adapterDown` as well.
public protocol BluetoothControl: Sendable {
    /// The adapters of the machine, by name.
    func adapters() async throws(BluetoothError) -> [BluetoothAdapter]

    /// Switches an adapter on, and waits until it is.
    ///
    /// - Throws: `.adapterBlocked` if rfkill forbids it.
    func powerOn(_ adapter: String) async throws(BluetoothError)

    /// The devices that an adapter knows: bonded ones, connected ones, and those that it has just discovered.
    func devices(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice]

    /// Discovers devices nearby, until `limit` is over or one of them is enough.
    ///
    /// - Parameter service: what they advertise; nil for devices of all kinds.
    /// - Returns: each as it was found last.
    func discover(
        _ service: BluetoothUUID?, on adapter: String, for limit: Microseconds,
        until isEnough: @escaping @Sendable (BluetoothDevice) -> Bool
    ) async throws(BluetoothError) -> [BluetoothDevice]

    /// Pairs with a device nearby; this side starts the pairing.
    ///
    /// Both sides show six digits, and `answer` compares them. Pairing without that comparison is refused, whatever the
    /// device can show. The keys are stored when this returns. Cancelling the task cancels the pairing.
    ///
    /// - Throws: `.alreadyPaired`; `.outOfReach`; `.pairingFailed`, for example when either side rejects the digits.
    func pair(
        with peer: BluetoothPeer, on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError)

    /// Answers pairings that other devices start, until the registration ends: `answer` compares the digits; nil refuses all.
    /// A newer registration replaces an older one. Without one, BlueZ's adapters may accept some pairings.
    ///
    /// A device that begins to pair in another way is refused: pairing is switched off until the next registration, the
    /// device is disconnected, keys that it may have got are deleted, and `refuse` is told.
    func answerPairing(
        on adapter: String, asking answer: PairingAnswer?, refusing refuse: @escaping PairingRefusal
    ) async throws(BluetoothError) -> BluetoothRegistration

    /// Deletes a device and its keys. An unknown device is no error.
    func forget(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// Connects to a device, and waits until its services are known.
    ///
    /// - Throws: `.outOfReach`.
    func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// Ends the connection to a device, if there is one.
    func disconnect(from peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// The PSM of the channel of a connected watch.
    ///
    /// - Throws: `.noService` if the device is not a Tapline watch, `.outOfReach` if it is not connected.
    func channelNumber(of peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) -> UInt16

    /// Advertises until the registration ends.
    func advertise(
        _ advertisement: BluetoothAdvertisement, on adapter: String
    ) async throws(BluetoothError) -> BluetoothRegistration

    /// Offers the services of a watch until the registration ends.
    func serve(_ services: WatchServices, on adapter: String) async throws(BluetoothError) -> BluetoothRegistration
}

extension BluetoothControl {
    /// The adapter with this name; for nil, the first that is switched on, or the first.
    ///
    /// - Throws: `.noAdapter`.
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

    /// Accepts pairings that other devices start; nobody is told of those that are refused.
    public func answerPairing(
        on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) -> BluetoothRegistration {
        try await answerPairing(on: adapter, asking: answer) { _, _ in }
    }

    /// The devices that an adapter stores keys for.
    public func bonds(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice] {
        try await devices(on: adapter).filter(\.isBonded)
    }
}

/// A service of BlueZ for this program until the registration ends: advertising, serving, or accepting pairings.
///
/// It renews itself: after the bus, bluetoothd or the adapter was gone, it is registered again as soon as they are back.
public final class BluetoothRegistration: Sendable {
    /// The state of a registration.
    public enum State: Hashable, Sendable {
        case active
        /// It is not registered, for this reason; it is tried again.
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

    /// The state now, and each later state.
    public func states() -> AsyncStream<State> { state.values() }

    /// Ends the registration and returns when BlueZ has confirmed that. Releasing this object ends it too, without that
    /// confirmation.
    public func end() async {
        work.cancel()
        await work.value
        state.set(.ended)
    }
}

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
    case accept
    /// The digits differ, or the person does not want to pair.
    case reject
}

/// Asks a person to compare the digits. Its task is cancelled, and its result ignored, when the question is void: the
/// other side has gone or rejected the digits, or the time is over.
public typealias PairingAnswer = @Sendable (PairingRequest) async -> PairingDecision

/// How a device wanted to pair, if that was not by comparing digits.
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

/// Learns of a device that began to pair without a comparison of digits, and of the way. Its link is being ended.
public typealias PairingRefusal = @Sendable (BluetoothPeer, PairingMethod) -> Void

enum BluetoothLimits {
    /// For a person to compare digits: less than the 30 s after which the other side gives up (Core Specification 5.4,
    /// volume 3, part H, section 3.4).
    static let comparison = Microseconds.seconds(25)
    /// For a discovery: devices are mostly found within 0.1 s, sometimes after 10 s.
    static let discovery = Microseconds.seconds(15)
}
