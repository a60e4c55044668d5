import HostSystem
import WatchLink
import Wormhole

/// This machine as a watch: phones can discover it, pair with it and connect to it through one of its adapters. The watch may
/// be a program's own, whose endpoint takes its channels from `phones`. Or it is simulated, and takes them through the module
/// `HostRadio`.
public final class BluetoothPeripheral: Sendable {
    /// The listener to which phones connect.
    public let listener: L2CAPListener
    /// The phone that has a channel, nil if none has. The task that takes the channels sets it.
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

    /// Listens on another PSM if a second watch on this adapter uses the usual one.
    private static func listen(on adapter: BluetoothAddress) throws(BluetoothError) -> L2CAPListener {
        do throws(BluetoothError) {
            return try L2CAPListener(on: adapter, psm: L2CAPListener.usualPSM)
        } catch {
            guard case .system(_, .addressInUse) = error else { throw error }
            return try L2CAPListener(on: adapter)
        }
    }

    /// The phones that connect, for an endpoint in the watch's role. Call this once, because the listener takes every phone.
    /// `note` gets the reason each time a phone is refused, and at most one `.parametersKept`; see `PhoneListener`.
    public func phones(note: @escaping @Sendable (BluetoothError) -> Void) -> PhoneListener {
        PhoneListener(listener, phone: phone, banned: banned, clock: SystemClock(), note: note)
    }

    /// Advertises the watch under `name`, serves its services, and follows the rules of `WatchPeripheral` until the returned
    /// publication ends. A watch without a bond lets phones pair at its start even if `letsPhonesPair` is false. `note` gets
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

/// A watch that phones can find until `end`.
public final class WatchPublication: Sendable {
    private let serving: BluetoothRegistration
    private let work: Task<Void, Never>

    init(serving: BluetoothRegistration, work: Task<Void, Never>) {
        self.serving = serving
        self.work = work
    }

    deinit { work.cancel() }

    /// Withdraws the watch, and returns when BlueZ has confirmed that.
    public func end() async {
        work.cancel()
        await work.value
        await serving.end()
    }
}

/// What a watch's Bluetooth needs from the watch's wearer: to compare digits, and to let phones pair.
public protocol Wearer: Sendable {
    /// The number of times that the wearer has let phones pair since the start.
    var openings: Int { get }

    /// Asks the wearer to compare the digits of a pairing with those of the phone; `.reject` if the wearer cannot be asked. The
    /// task is cancelled if the phone gives up.
    func compare(_ request: PairingRequest) async -> PairingDecision

    /// Shows the wearer whether phones may pair now.
    func showPairingMode(isOpen: Bool)
}

extension Wearer {
    /// Shows nothing by default.
    public func showPairingMode(isOpen: Bool) {}
}
