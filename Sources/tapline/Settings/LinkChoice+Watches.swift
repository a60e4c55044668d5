import ArgumentParser
import BluetoothBridge
import Logging
import Wormhole

extension LinkChoice {
    /// For a command whose sockets are named by another option.
    ///
    /// - Throws: a `ValidationError` for a link over sockets.
    func demandBluetooth() throws {
        guard case .unix = self else { return }
        throw ValidationError("--link is bluetooth or bluetooth:ADAPTER; --sockets says where sockets are.")
    }

    /// The bonded watches, where the link is Bluetooth.
    func bondedWatches(_ logger: Logger) async throws -> [any TransportListener] {
        switch self {
        case .unix: return []
        case .bluetooth(let adapter):
            let control = try BlueZControl()
            // A missing adapter is an error now, before the retries begin.
            _ = try await control.adapter(named: adapter)
            let memory = WatchMemory(path: Places.usual.watches)
            return [BondedWatches(control, adapter: adapter, memory: memory, logger: logger)]
        }
    }
}
