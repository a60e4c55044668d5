import BluetoothBridge
import DeviceModel
import Foundation
import Watch
import WatchLink

/// A watch on the air: it can be found, paired with and connected to over a dongle of this machine.
///
/// The digits of a pairing are compared on the watch's own screen, by whoever wears it.
final class BluetoothPeripheral: Sendable {
    /// Where phones connect.
    let listener: L2CAPListener
    private let control: any BluetoothControl
    private let adapter: BluetoothAdapter

    /// Switches the dongle on and listens; nobody can find the watch yet.
    ///
    /// - Parameter name: such as `hci0`; nil for the first that is on.
    /// - Throws: `.noAdapter`, `.adapterBlocked`, `.noDaemon` and what else stands in the way.
    init(adapter name: String?, control: any BluetoothControl) async throws(BluetoothError) {
        self.control = control
        adapter = try await control.adapter(named: name)
        switch adapter.power {
        case .on: break
        case .off: try await control.powerOn(adapter.name)
        }
        listener = try Self.listen(on: adapter.address)
    }

    /// Serves the usual number, or another where a second watch on this dongle has that.
    private static func listen(on adapter: BluetoothAddress) throws(BluetoothError) -> L2CAPListener {
        do throws(BluetoothError) {
            return try L2CAPListener(on: adapter, psm: L2CAPListener.usualPSM)
        } catch {
            guard case .system(_, .addressInUse) = error else { throw error }
            return try L2CAPListener(on: adapter)
        }
    }

    /// Lets phones find the watch and pair with it, for as long as what is returned is kept.
    func publish(_ watch: any WatchDevice, name: String) async throws(BluetoothError) -> [BluetoothRegistration] {
        let information = WatchInformation(manufacturer: "Tapline", model: "Tapline watch", firmware: "1")
        let services = WatchServices(
            channelNumber: listener.psm, information: information, battery: BatteryLevel(100))
        return [
            try await control.answerPairing(on: adapter.name) { request in await Self.ask(watch, request) },
            try await control.serve(services, on: adapter.name),
            try await control.advertise(BluetoothAdvertisement(name: name), on: adapter.name),
        ]
    }

    /// Shows the digits on the watch, and returns what its wearer says.
    static func ask(_ watch: any WatchDevice, _ request: PairingRequest) async -> PairingDecision {
        guard let digits = UInt32(request.digits) else { return .reject }
        let before = watch.snapshot.output.pairingAnswers.count
        let question = watch.send(.pairing(.compare(digits: digits)))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<PairingDecision, Never>) in
                // A thread of its own, because waiting for the watch takes one.
                Thread.detachNewThread {
                    let outcome = watch.wait(until: WatchLink.Instant(microseconds: .max)) { snapshot in
                        snapshot.handled >= question && snapshot.description.screen != .pairing
                    }
                    let answers = outcome.snapshot.output.pairingAnswers.dropFirst(before)
                    continuation.resume(returning: answers.last == .same ? .accept : .reject)
                }
            }
        } onCancel: {
            // The phone has given up: the sheet goes, and with it the wait above.
            watch.send(.pairing(.over))
        }
    }
}
