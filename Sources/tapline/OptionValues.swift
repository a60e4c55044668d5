import ArgumentParser
import BluetoothBridge
import CommandSupport
import Logging
import WatchLink
import Wormhole

extension LinkChoice {
    /// Throws if the link is a Unix socket. Commands that have `--sockets` call this, because that option already says
    /// where their Unix sockets are.
    func demandBluetooth() throws {
        guard case .unix = self else { return }
        throw ValidationError("--link is bluetooth or bluetooth:ADAPTER; --sockets says where sockets are.")
    }

    func bondedWatches(_ logger: Logger) async throws -> [any TransportListener] {
        switch self {
        case .unix: return []
        case .bluetooth(let adapter):
            let control = try BlueZControl()
            // Reports a missing adapter now. Later, the listener would only retry.
            _ = try await control.adapter(named: adapter)
            let memory = WatchMemory(path: Places.usual.watches)
            return [BondedWatches(control, adapter: adapter, memory: memory, logger: logger)]
        }
    }
}

/// A duration on the command line: `2s`, `500ms`, `3m`, `1h`.
struct DurationChoice: ExpressibleByArgument, Equatable, CustomStringConvertible {
    private static let millisecondsOfDay: UInt64 = 86_400_000

    let milliseconds: UInt32

    /// Reads a whole number and a unit. Nil for other text, or for more than a day.
    init?(argument: String) {
        let units: [(String, UInt64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
        guard let (unit, size) = units.first(where: { argument.hasSuffix($0.0) }),
            let count = UInt64(argument.dropLast(unit.count)), count <= DurationChoice.millisecondsOfDay / size
        else { return nil }
        self.init(milliseconds: UInt32(count * size))
    }

    init(milliseconds: UInt32) {
        self.milliseconds = milliseconds
    }

    var microseconds: Microseconds { .milliseconds(milliseconds) }

    var description: String {
        milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
    }
}
