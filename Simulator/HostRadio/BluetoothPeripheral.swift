import BluetoothBridge
import DeviceModel
import HostSystem
import Watch
import WatchLink

/// A simulated watch as a Bluetooth peripheral: phones can discover it, pair with it and connect to it through one of
/// this machine's adapters.
///
/// The wearer compares the digits of a pairing on the watch's own screen.
public final class BluetoothPeripheral: Sendable {
    /// Where phones connect.
    public let listener: L2CAPListener
    /// The phone with a channel, as the watch's radio reports it.
    private let phone = Published<BluetoothPeer?>(nil)
    private let banned = BannedPeers()
    private let control: any BluetoothControl
    private let adapter: BluetoothAdapter

    /// Switches the adapter on and listens. Phones cannot discover the watch before `publish`.
    ///
    /// - Parameters:
    ///   - name: the adapter, such as `hci0`; nil for the first one that is on.
    ///   - control: the Bluetooth service of this machine.
    /// - Throws: `.noAdapter`, `.adapterBlocked`, `.noDaemon` or another error of that service; `.system` when the
    ///   system refuses the socket.
    public init(adapter name: String?, control: any BluetoothControl) async throws(BluetoothError) {
        self.control = control
        adapter = try await control.adapter(named: name)
        switch adapter.power {
        case .on: break
        case .off: try await control.powerOn(adapter.name)
        }
        listener = try Self.listen(on: adapter.address)
    }

    /// Listens on the usual PSM, or on another when a second watch on this adapter uses that one.
    private static func listen(on adapter: BluetoothAddress) throws(BluetoothError) -> L2CAPListener {
        do throws(BluetoothError) {
            return try L2CAPListener(on: adapter, psm: L2CAPListener.usualPSM)
        } catch {
            guard case .system(_, .addressInUse) = error else { throw error }
            return try L2CAPListener(on: adapter)
        }
    }

    /// A radio for the watch, to which phones connect through this.
    ///
    /// - Parameter note: receives the reason when a phone is refused, and other troubles; see `BluetoothRadio`.
    public func makeRadio(note: @escaping @Sendable (BluetoothError) -> Void) -> sending BluetoothRadio {
        BluetoothRadio(listener, phone: phone, banned: banned, note: note)
    }

    /// Advertises the watch under `name`, serves its services, and keeps to the rules of `WatchPeripheral` until the
    /// returned publication ends.
    ///
    /// - Parameter note: receives what the owner should know.
    public func publish(
        _ watch: any WatchDevice, name: String, opening: WatchPeripheral.Opening,
        note: @escaping @Sendable (PeripheralNote) -> Void
    ) async throws(BluetoothError) -> WatchPublication {
        let information = WatchInformation(manufacturer: "Tapline", model: "Tapline watch", firmware: "1")
        let services = WatchServices(
            channelNumber: listener.psm, information: information, battery: BatteryLevel(100))
        let serving = try await control.serve(services, on: adapter.name)
        let peripheral = WatchPeripheral(
            control, adapter: adapter.name, advertisement: BluetoothAdvertisement(name: name), banned: banned
        ) { [phone] in
            WatchPeripheral.Situation(
                channel: phone.value, openings: watch.snapshot.output.pairingAnswers.count { $0 == .open })
        } asking: { request in
            await Self.ask(watch, request)
        } note: {
            note($0)
        }
        do throws(BluetoothError) {
            try await peripheral.start(opening)
        } catch {
            await serving.end()
            throw error
        }
        return WatchPublication(serving: serving, work: Task { await peripheral.run() })
    }

    /// Shows the digits on the watch and returns its wearer's decision.
    static func ask(_ watch: any WatchDevice, _ request: PairingRequest) async -> PairingDecision {
        guard let digits = UInt32(request.digits) else { return .reject }
        let before = watch.snapshot.output.pairingAnswers.count
        let question = watch.send(.pairing(.compare(digits: digits)))
        return await withTaskCancellationHandler {
            // Waiting for the watch blocks a thread.
            let decision = try? await SystemThread.result {
                let outcome = watch.wait(until: WatchLink.Instant(microseconds: .max)) { snapshot in
                    snapshot.handled >= question && snapshot.description.screen != .pairing
                }
                let answers = outcome.snapshot.output.pairingAnswers.dropFirst(before)
                return answers.last { $0 != .open } == .same ? PairingDecision.accept : .reject
            }
            return decision ?? .reject
        } onCancel: {
            // The phone has given up: this closes the sheet, which ends the wait above.
            watch.send(.pairing(.over))
        }
    }
}

/// A watch that phones can find, until this ends.
public final class WatchPublication: Sendable {
    private let serving: BluetoothRegistration
    private let work: Task<Void, Never>

    init(serving: BluetoothRegistration, work: Task<Void, Never>) {
        self.serving = serving
        self.work = work
    }

    deinit { work.cancel() }

    /// Withdraws the watch and returns when BlueZ has confirmed that.
    public func end() async {
        work.cancel()
        await work.value
        await serving.end()
    }
}
