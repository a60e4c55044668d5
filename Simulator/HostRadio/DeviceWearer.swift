import BluetoothBridge
import DeviceModel
import HostSystem
import Watch
import WatchLink

/// The wearer of a simulated watch. During a pairing, the watch shows the digits, and the wearer accepts or rejects them with
/// the watch's buttons.
public struct DeviceWearer: Wearer {
    private let watch: any WatchDevice

    /// Creates the wearer of `watch`.
    public init(of watch: any WatchDevice) { self.watch = watch }

    /// The number of times that the wearer has opened the pairing mode.
    public var openings: Int { watch.snapshot.output.pairingAnswers.count { $0 == .open } }

    /// Shows on the watch's face and status sheet whether the pairing mode is open.
    public func showPairingMode(isOpen: Bool) { watch.send(.pairing(isOpen ? .open : .closed)) }

    /// Shows the digits on the watch, and returns the wearer's decision.
    public func compare(_ request: PairingRequest) async -> PairingDecision {
        guard let digits = UInt32(request.digits) else { return .reject }
        let before = watch.snapshot.output.pairingAnswers.count
        let question = watch.send(.pairing(.compare(digits: digits)))
        return await withTaskCancellationHandler {
            // The wait for the watch blocks a thread, so it runs on a thread of its own.
            let decision = try? await SystemThread.result { [watch] in
                let outcome = watch.wait(until: WatchLink.Instant(microseconds: .max)) { snapshot in
                    snapshot.handled >= question && snapshot.description.screen != .pairing
                }
                let answers = outcome.snapshot.output.pairingAnswers.dropFirst(before)
                return answers.last { $0 != .open } == .same ? PairingDecision.accept : .reject
            }
            return decision ?? .reject
        } onCancel: {
            // The phone has cancelled the pairing. This input closes the sheet on the watch, which ends the wait above.
            watch.send(.pairing(.over))
        }
    }
}

extension BatteryLevel {
    /// Creates a level that follows the battery of a simulated watch while the watch exists. The level stays at 100 percent if
    /// the watch has no simulated battery.
    public convenience init(of watch: any WatchDevice) {
        self.init(watch.shownBattery?.percent ?? 100)
        let (battery, faults) = (watch.battery, watch.faults)
        guard let battery else { return }
        let follow: @Sendable () -> Void = { [weak self] in
            self?.set(battery.state.shown(with: faults?.faults.supply ?? .sufficient).percent)
        }
        battery.observe(follow)
        faults?.observe(follow)
    }
}
