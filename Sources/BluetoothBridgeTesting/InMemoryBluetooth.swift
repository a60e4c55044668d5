import BluetoothBridge
import HostSystem
import Synchronization
import Wormhole

/// A simulated radio neighbourhood in one process, without hardware. Its machines discover each other, pair and connect as with
/// real adapters.
///
/// ```
/// let bluetooth = InMemoryBluetooth()
/// let watch = bluetooth.machine(adapters: [.init(name: "hci0", address: a, alias: "watch", isOn: true)])
/// let phone = bluetooth.machine(adapters: [.init(name: "hci0", address: b, alias: "phone", isOn: true)])
/// ```
/// All adapters are in reach of each other. They have public addresses, and each receives the other adapters at -50 dBm.
public final class InMemoryBluetooth: Sendable {
    struct Responder: Sendable {
        let number: UInt64
        let answer: PairingAnswer?
        let refuse: PairingRefusal
    }

    struct Station: Sendable {
        let machine: UInt64
        var adapter: BluetoothAdapter
        var bonds: Set<BluetoothAddress> = []
        var blocked: Set<BluetoothAddress> = []
        var connections: Set<BluetoothAddress> = []
        var advertisements: [UInt64: BluetoothAdvertisement] = [:]
        var services: [UInt64: WatchServices] = [:]
        var responder: Responder?
    }

    struct Neighbourhood: Sendable {
        var nextNumber: UInt64 = 0
        var stations: [Station] = []
        /// The numbers of the machines whose daemon is stopped, each with the error that the machine's calls throw.
        var daemonErrors: [UInt64: BluetoothError] = [:]

        mutating func number() -> UInt64 {
            nextNumber += 1
            return nextNumber
        }

        func isUp(_ station: Station) -> Bool {
            station.adapter.isOn && daemonErrors[station.machine] == nil
        }

        /// Returns the index in `stations` of the adapter with this address, if other machines can discover it now.
        func heard(_ address: BluetoothAddress) -> Int? {
            stations.firstIndex { $0.adapter.address == address && isUp($0) && !$0.advertisements.isEmpty }
        }

        mutating func disconnectAll(of index: Int) {
            for address in stations[index].connections { disconnect(index, from: address) }
        }

        mutating func disconnect(_ index: Int, from address: BluetoothAddress) {
            let own = stations[index].adapter.address
            stations[index].connections.remove(address)
            for other in stations.indices where stations[other].adapter.address == address {
                stations[other].connections.remove(own)
            }
        }

        func devices(of station: Station) -> [BluetoothDevice] {
            stations.compactMap { other in
                let address = other.adapter.address
                guard address != station.adapter.address else { return nil }
                let isHeard = heard(address) != nil
                let isConnected = station.connections.contains(address)
                let isBonded = station.bonds.contains(address)
                guard isHeard || isConnected || isBonded else { return nil }
                let newest = other.advertisements.keys.max().flatMap { other.advertisements[$0] }
                return BluetoothDevice(
                    peer: BluetoothPeer(address, .public), name: newest?.name ?? other.adapter.alias,
                    presence: isHeard ? .heard(signalStrength: -50) : .unheard, trust: isBonded ? .bonded : .stranger,
                    isBlocked: station.blocked.contains(address),
                    connection: isConnected ? .resolved : .none,
                    services: Set(other.advertisements.values.map(\.service)))
            }
        }
    }

    private let radio = Mutex(Neighbourhood())
    private let version = Published<UInt64>(0)
    private let digits: @Sendable () -> String
    let clock: any LinkClock

    /// Makes a neighbourhood without machines.
    ///
    /// - Parameters:
    ///   - clock: measures the time limits of discoveries.
    ///   - digits: returns the six digits of the next pairing. By default they are random.
    public init(
        clock: any LinkClock = SystemClock(),
        digits: @escaping @Sendable () -> String = {
            String(String(1_000_000 + Int.random(in: 0..<1_000_000)).dropFirst())
        }
    ) {
        self.clock = clock
        self.digits = digits
    }

    /// Adds a machine with these adapters and a running daemon, and returns its Bluetooth.
    public func machine(adapters: [BluetoothAdapter]) -> InMemoryControl {
        let number = change { radio in
            let number = radio.number()
            radio.stations += adapters.map { Station(machine: number, adapter: $0) }
            return number
        }
        return InMemoryControl(radio: self, machine: number)
    }

    /// Returns the numbers of the advertisements that an adapter sends now. A newer advertisement has a higher number.
    public func advertisements(of adapter: BluetoothAddress) -> Set<UInt64> {
        Set(now.stations.filter { $0.adapter.address == adapter }.flatMap(\.advertisements.keys))
    }

    func change<Value: Sendable, Failure: Error>(
        _ body: (inout sending Neighbourhood) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { version.update { $0 += 1 } }
        return try radio.withLock { radio throws(Failure) in try body(&radio) }
    }

    var now: Neighbourhood { radio.withLock { $0 } }

    /// Yields a number at once, and a higher one whenever the neighbourhood may have changed.
    func changes() -> AsyncStream<UInt64> { version.values() }

    func nextDigits() -> String { digits() }
}
