import WatchLink

/// What a program can ask of this machine's Bluetooth. `BlueZControl` asks BlueZ; `InMemoryBluetooth` has machines that
/// are made up.
///
/// Adapters are named as the kernel names them, `hci0`. Every call that talks to BlueZ may throw `.noBus`, `.noDaemon`
/// or `.notAllowed`, at once, `.timedOut`, `.cancelled` where the task is, and `.refused`; those of an adapter
/// `.noAdapter` and `.adapterDown` as well.
public protocol BluetoothControl: Sendable {
    /// The state of bluetoothd, now and whenever it changes; a slow reader gets only the newest.
    func daemonStates() -> AsyncStream<BluetoothDaemon>

    /// The adapters of the machine, by name.
    func adapters() async throws(BluetoothError) -> [BluetoothAdapter]

    /// Switches an adapter on, and waits until it is.
    ///
    /// - Throws: `.adapterBlocked` where rfkill forbids it.
    func powerOn(_ adapter: String) async throws(BluetoothError)

    /// The devices that an adapter knows: those it has keys for, those it is connected to, and those just heard.
    func devices(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice]

    /// The devices that an adapter knows, now and whenever something about them changes: who has paired, who is
    /// connected. There are none while bluetoothd is away. Who is slow hears the newest.
    func deviceStates(on adapter: String) -> AsyncStream<[BluetoothDevice]>

    /// Looks for devices that advertise a service, for as long as `limit` and somebody goes through what is found.
    func discover(_ service: BluetoothUUID, on adapter: String, for limit: Microseconds) -> BluetoothDiscovery

    /// Pairs with a device that is near, as the one who asks for it.
    ///
    /// Both sides show six digits, which `answer` is asked to compare. Pairing without comparing them is refused,
    /// whatever the device says that it can show. The keys are kept when this returns. Where the task is cancelled, so
    /// is the pairing.
    ///
    /// - Throws: `.alreadyPaired`; `.outOfReach`; `.pairingFailed`, as when either side says no.
    func pair(
        with peer: BluetoothPeer, on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError)

    /// Lets other devices pair with an adapter, until the registration ends: `answer` is asked to compare their digits.
    /// Who wants to pair without that is refused. There is one such registration at a time; a newer one is asked
    /// instead.
    func answerPairing(
        on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) -> BluetoothRegistration

    /// Forgets a device and its keys. One that is not known is forgotten already.
    func forget(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// Connects to a device, and waits until what it offers is known.
    ///
    /// - Throws: `.outOfReach`.
    func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// Ends the connection to a device, where there is one.
    func disconnect(from peer: BluetoothPeer, on adapter: String) async throws(BluetoothError)

    /// The PSM that a connected watch has for its channel.
    ///
    /// - Throws: `.noService` where the device is no watch of ours, `.outOfReach` where it is not connected.
    func channelNumber(of peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) -> UInt16

    /// Advertises until the registration ends.
    func advertise(
        _ advertisement: BluetoothAdvertisement, on adapter: String
    ) async throws(BluetoothError) -> BluetoothRegistration

    /// Offers the services of a watch until the registration ends.
    func serve(_ services: WatchServices, on adapter: String) async throws(BluetoothError) -> BluetoothRegistration
}

extension BluetoothControl {
    /// The adapter of a name; for none, the first that is switched on, or the first.
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

    /// The devices that an adapter has keys for.
    public func bonds(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice] {
        try await devices(on: adapter).filter(\.isBonded)
    }

    /// Looks for Tapline's watches, for 15 s at most.
    public func discoverWatches(on adapter: String) -> BluetoothDiscovery {
        discover(.tapline, on: adapter, for: BluetoothLimits.discovery)
    }
}
