@testable import BluetoothBridge

extension DaemonMachine {
    var isRunning: Bool {
        switch state {
        case .running: true
        case .looking, .unreachable, .absent, .loading: false
        }
    }

    func devices(on adapter: String) -> [BluetoothDevice] {
        guard case .running(_, let tree) = state else { return [] }
        return tree.devices(on: adapter)
    }

    func isPairable(_ adapter: String) -> Bool {
        guard case .running(_, let tree) = state else { return false }
        return tree.adapter(adapter)?.pairing == .on
    }
}

extension BlueZControl {
    /// Returns when `isMet` holds.
    func waitForDaemon(_ isMet: (DaemonMachine) -> Bool) async {
        for await machine in link.changes() where isMet(machine) { return }
    }
}
