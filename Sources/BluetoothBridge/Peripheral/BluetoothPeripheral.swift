import HostSystem
import WatchLink
import Wormhole

/// Makes this machine a Bluetooth watch: phones can discover it, pair with it and connect to it through one of its adapters. A
/// program that acts as the watch passes the result of `phones(note:)` to its endpoint. To connect a simulated watch, the
/// module `HostRadio` makes a radio from this object.
public final class BluetoothPeripheral: Sendable {
    /// The listener to which phones connect.
    public let listener: L2CAPListener
    /// The phone with an open channel, nil if there is none. `PhoneListener` or the radio of `HostRadio` sets it.
    package let phone = Published<BluetoothPeer?>(nil)
    package let banned = BannedPeers()
    private let control: any BluetoothControl
    private let adapter: BluetoothAdapter

    /// Switches the adapter on and listens. Phones cannot discover the watch before `publish`.
    ///
    /// - Parameter name: the adapter, such as `hci0`; nil for the first that is on, or else the first.
    /// - Throws: the errors of `control`; `.system` if the system refuses the socket.
    public init(adapter name: String?, control: any BluetoothControl) async throws(BluetoothError) {
        self.control = control
        adapter = try await control.adapter(named: name)
        if !adapter.isOn { try await control.powerOn(adapter.name) }
        listener = try Self.listen(on: adapter.address)
    }

    /// Listens on the usual PSM, or on another one if another watch on this adapter serves the usual one.
    private static func listen(on adapter: BluetoothAddress) throws(BluetoothError) -> L2CAPListener {
        do throws(BluetoothError) {
            return try L2CAPListener(on: adapter, psm: L2CAPListener.usualPSM)
        } catch {
            guard case .system(_, .addressInUse) = error else { throw error }
            return try L2CAPListener(on: adapter)
        }
    }

    /// Returns a listener for the channels of phones, to pass to an endpoint in the watch's role. Call this at most once: two
    /// listeners would each get only a part of the channels. `note` gets the error each time a phone is refused with
    /// `.insecure` or `.tooNarrow`, or a request for connection parameters fails. It gets `.parametersKept` at most once.
    public func phones(note: @escaping @Sendable (BluetoothError) -> Void) -> PhoneListener {
        PhoneListener(listener, phone: phone, banned: banned, clock: SystemClock(), note: note)
    }

    /// Advertises the watch under `name`, serves its GATT services, answers pairings and ends unused connections, until the
    /// returned publication ends. Phones may pair at first if `letsPhonesPair` is true or the adapter has no bond. `note` gets
    /// each note for the watch's owner.
    public func publish(
        _ wearer: any Wearer, name: String, battery: BatteryLevel = BatteryLevel(100), letsPhonesPair: Bool = false,
        note: @escaping @Sendable (PeripheralNote) -> Void
    ) async throws(BluetoothError) -> WatchPublication {
        let services = WatchServices(channelNumber: listener.psm, battery: battery)
        let serving = try await control.serve(services, on: adapter.name)
        let peripheral = WatchPeripheral(
            control, adapter: adapter.name, advertisement: BluetoothAdvertisement(name: name), wearer: wearer,
            phone: phone, banned: banned, note: note)
        do throws(BluetoothError) {
            try await peripheral.start(letsPhonesPair: letsPhonesPair)
        } catch {
            await serving.end()
            throw error
        }
        return WatchPublication(serving: serving, work: Task { await peripheral.run() })
    }
}

/// A published watch, which phones can find until `end()` is called or this object is released.
public final class WatchPublication: Sendable {
    private let serving: BluetoothRegistration
    private let work: Task<Void, Never>

    init(serving: BluetoothRegistration, work: Task<Void, Never>) {
        self.serving = serving
        self.work = work
    }

    deinit { work.cancel() }

    /// Stops advertising, answering pairings and serving, and returns when BlueZ has confirmed that.
    public func end() async {
        work.cancel()
        await work.value
        await serving.end()
    }
}

/// The wearer of a Bluetooth watch, who decides when phones may pair, and compares the digits of a pairing.
public protocol Wearer: Sendable {
    /// The number of times that the wearer has opened the pairing mode since the watch started. The watch's Bluetooth reads
    /// this number twice a second, and lets phones pair when it has grown.
    var openings: Int { get }

    /// Asks the wearer whether the phone shows the same digits. Returns `.reject` if the wearer cannot be asked. The task is
    /// cancelled if the pairing ends before the answer.
    func compare(_ request: PairingRequest) async -> PairingDecision

    /// Shows the wearer whether phones may pair now.
    func showPairingMode(isOpen: Bool)
}

extension Wearer {
    /// Shows nothing by default.
    public func showPairingMode(isOpen: Bool) {}
}
