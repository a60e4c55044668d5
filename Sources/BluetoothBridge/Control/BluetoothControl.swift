import WatchLink

/// Bluetooth of this machine, which `BlueZControl` controls through BlueZ; `InMemoryBluetooth` simulates machines.
///
/// Adapters have the kernel's names, such as `hci0`. Every call that talks to BlueZ may throw `.noBus`, `.noDaemon` or
/// `.notAllowed`, at once, `.timedOut`, `.cancelled` where the task is cancelled, and `.refused`; those of an adapter
/// `.noAdapter` and `.adapterDown` as well.
public protocol BluetoothControl: Sendable {
    /// The adapters of the machine, by name.
    func adapters() async throws(BluetoothError) -> [BluetoothAdapter]

    /// Switches an adapter on, and waits until it is.
    ///
    /// - Throws: `.adapterBlocked` where rfkill forbids it.
    func powerOn(_ adapter: String) async throws(BluetoothError)

    /// The devices that an adapter knows: bonded ones, connected ones, and those that it has just discovered.
    func devices(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice]

    /// Discovers devices that advertise a service, until `limit` is over or the iteration ends.
    func discover(_ service: BluetoothUUID, on adapter: String, for limit: Microseconds) -> BluetoothDiscovery

    /// Pairs with a device nearby; this side starts the pairing.
    ///
    /// Both sides show six digits, and `answer` compares them. Pairing without that comparison is refused, whatever the
    /// device can show. The keys are stored when this returns. Cancelling the task cancels the pairing.
    ///
    /// - Throws: `.alreadyPaired`; `.outOfReach`; `.pairingFailed`, for example when either side rejects the digits.
    func pair(
        with peer: BluetoothPeer, on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError)

    /// Accepts pairings that other devices start, until the registration ends: `answer` compares the digits. A newer
    /// registration replaces an older one.
    ///
    /// A device that begins to pair in another way is refused: pairing is switched off until the next registration, the
    /// device is disconnected, keys that it may have got are deleted, and `refuse` is told.
    func answerPairing(
        on adapter: String, asking answer: @escaping PairingAnswer, refusing refuse: @escaping PairingRefusal
    ) async throws(BluetoothError) -> BluetoothRegistration

    /// Refuses every pairing that other devices start, until the registration ends; `refuse` is told. Without this, and
    /// without `answerPairing`, BlueZ's adapters may accept some.
    func declinePairing(
        on adapter: String, refusing refuse: @escaping PairingRefusal
    ) async throws(BluetoothError) -> BluetoothRegistration

    /// Deletes a device and its keys. An unknown device is no error.
    func forget(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// Connects to a device, and waits until its services are known.
    ///
    /// - Throws: `.outOfReach`.
    func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// Ends the connection to a device, where there is one.
    func disconnect(from peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// The PSM of the channel of a connected watch.
    ///
    /// - Throws: `.noService` where the device is not a Tapline watch, `.outOfReach` where it is not connected.
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
                adapters.first { $0.power == .on } ?? adapters.first
            }
        guard let chosen else { throw .noAdapter(name: name) }
        return chosen
    }

    /// Accepts pairings that other devices start; nobody is told of those that are refused.
    public func answerPairing(
        on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) -> BluetoothRegistration {
        try await answerPairing(on: adapter, asking: answer) { _ in }
    }

    /// The devices that an adapter stores keys for.
    public func bonds(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice] {
        try await devices(on: adapter).filter(\.isBonded)
    }
}
