import ArgumentParser
import BluetoothBridge
import Logging
import WatchLink
import Wormhole

/// How watch and phone reach each other.
enum LinkChoice: ExpressibleByArgument, Equatable {
    /// Over Unix sockets, in this directory of the phone's host; nil for the usual one.
    case unix(directory: String?)
    /// Over Bluetooth, with the adapter of this name; nil for the first that is on.
    case bluetooth(adapter: String?)

    /// Reads `unix`, `unix:DIRECTORY`, `bluetooth` or `bluetooth:ADAPTER`; nil for anything else.
    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let detail = parts.count == 2 ? String(parts[1]) : nil
        guard detail != "" else { return nil }
        switch parts[0] {
        case "unix": self = .unix(directory: detail)
        case "bluetooth": self = .bluetooth(adapter: detail)
        case _: return nil
        }
    }
}

extension LinkChoice {
    /// Refuses a link over sockets, for a command with another option for sockets.
    ///
    /// - Throws: a `ValidationError` for a link over sockets.
    func demandBluetooth() throws {
        guard case .unix = self else { return }
        throw ValidationError("--link is bluetooth or bluetooth:ADAPTER; --sockets says where sockets are.")
    }

    /// A listener for the bonded watches if the link is Bluetooth, otherwise none.
    func bondedWatches(_ logger: Logger) async throws -> [any TransportListener] {
        switch self {
        case .unix: return []
        case .bluetooth(let adapter):
            let control = try BlueZControl()
            // Report a missing adapter now, before the retries begin.
            _ = try await control.adapter(named: adapter)
            let memory = WatchMemory(path: Places.usual.watches)
            return [BondedWatches(control, adapter: adapter, memory: memory, logger: logger)]
        }
    }
}

/// A length of time: `2s`, `500ms`, `3m`.
struct DurationChoice: ExpressibleByArgument, Equatable, CustomStringConvertible {
    /// The longest choice: a day.
    private static let longest: UInt64 = 86_400_000

    let milliseconds: UInt32

    /// Reads a whole number and a unit, up to a day; nil for anything else.
    init?(argument: String) {
        let units: [(String, UInt64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
        guard let (unit, size) = units.first(where: { argument.hasSuffix($0.0) }),
            let count = UInt64(argument.dropLast(unit.count)), count <= DurationChoice.longest / size
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
