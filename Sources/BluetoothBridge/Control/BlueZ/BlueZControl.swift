import Synchronization
import WatchLink
import Wormhole

/// This machine's Bluetooth, as BlueZ has it: its daemon is asked over the system bus.
///
/// Each object has a connection of its own, and so an agent of its own: where one program is both sides of a pairing,
/// it takes two, because BlueZ asks the agent of who begins a pairing, and otherwise the default one.
public final class BlueZControl: BluetoothControl {
    let link: BlueZLink
    let agent: PairingAgent
    private let agentRun = Mutex(0)
    private let objects = Mutex<UInt64>(0)
    /// The scans that nobody wants any more and that may not have stopped yet.
    let endingScans = Mutex<[UInt64: Task<Void, Never>]>([:])

    /// Begins to look for bluetoothd, on the system bus.
    ///
    /// - Parameters:
    ///   - comparison: how long a person has to compare digits.
    ///   - clock: the time of all limits.
    /// - Throws: `.system` where the process has no descriptors or threads left. That there is no bus is for the calls
    ///   to say.
    public convenience init(
        comparison: Microseconds = BluetoothLimits.comparison, clock: any LinkClock = SystemClock()
    ) throws(BluetoothError) {
        try self.init(address: SystemBus.systemAddress, comparison: comparison, clock: clock)
    }

    init(
        address: String, comparison: Microseconds = BluetoothLimits.comparison, clock: any LinkClock = SystemClock()
    ) throws(BluetoothError) {
        link = try BlueZLink(address: address, clock: clock)
        agent = PairingAgent(limit: comparison, clock: clock)
        link.bus.export(agent.export { [weak link] in link?.now.state ?? .looking }, at: PairingAgent.path)
    }

    /// The state of bluetoothd, now and whenever it changes.
    public func daemonStates() -> AsyncStream<BluetoothDaemon> {
        link.changes().distinct { $0.daemon }
    }

    /// The devices that an adapter knows, now and whenever something about them changes.
    public func deviceStates(on adapter: String) -> AsyncStream<[BluetoothDevice]> {
        link.changes().distinct { machine in
            guard case .running(_, let tree) = machine.state else { return [] }
            return tree.devices(on: adapter)
        }
    }

    /// The adapters of the machine, by name.
    public func adapters() async throws(BluetoothError) -> [BluetoothAdapter] {
        try await link.tree().adapters
    }

    /// Switches an adapter on, and waits until it is.
    public func powerOn(_ adapter: String) async throws(BluetoothError) {
        let path = BlueZ.path(ofAdapter: adapter)
        if try await known(adapter).power == .on { return }
        do throws(BluetoothError) {
            try await patiently(within: .seconds(10), about: .adapter(adapter)) { [link] () throws(BluetoothError) in
                try await link.set(path, BlueZ.adapter, "Powered", .yes)
            }
        } catch {
            // BlueZ says no more than "Failed" where the kernel does not let it.
            guard case .refused = error, LocalAdapter.isBlocked(adapter) else { throw error }
            throw .adapterBlocked(name: adapter)
        }
        let isOn = try await link.wait(within: .seconds(10)) { $0.adapter(adapter)?.power == .on ? true : nil }
        guard isOn != nil else { throw .adapterDown(name: adapter) }
    }

    /// The devices that an adapter knows.
    public func devices(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice] {
        _ = try await known(adapter)
        return try await link.tree().devices(on: adapter)
    }

    /// Forgets a device and its keys.
    public func forget(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        _ = try await known(adapter)
        let path = BlueZ.path(of: peer.address, on: adapter)
        do {
            try await link.call(
                BlueZ.path(ofAdapter: adapter), BlueZ.adapter, "RemoveDevice", [.objectPath(path)])
        } catch .refused("org.bluez.Error.DoesNotExist", _) {
            return
        } catch {
            throw error.about(.device(peer.address, adapter: adapter))
        }
        _ = try await link.wait(within: .seconds(5)) { $0.device(at: path) == nil ? true : nil }
    }
}

extension BlueZControl {
    /// An adapter. One that has just been plugged in, or whose daemon has just started, comes a moment later than the
    /// rest.
    ///
    /// - Throws: `.noAdapter` where it does not come.
    func known(_ adapter: String) async throws(BluetoothError) -> BluetoothAdapter {
        // A machine that is slow may take longer to tell of its objects than an adapter takes to come.
        _ = try await link.tree()
        guard let found = try await link.wait(within: .seconds(1), { $0.adapter(adapter) }) else {
            throw .noAdapter(name: adapter)
        }
        return found
    }

    /// An adapter that is switched on.
    ///
    /// - Throws: `.noAdapter`, `.adapterDown`.
    func poweredOn(_ adapter: String) async throws(BluetoothError) -> BluetoothAdapter {
        let found = try await known(adapter)
        guard found.power == .on else { throw .adapterDown(name: adapter) }
        return found
    }

    /// Does something that BlueZ may be too busy for, or not have ready, a moment after it starts: again and again, for
    /// as long as `limit`.
    func patiently(
        within limit: Microseconds, about subject: BluetoothError.Subject,
        _ body: @Sendable () async throws(BluetoothError) -> Void
    ) async throws(BluetoothError) {
        let clock = link.clock
        let end = clock.now + limit
        while true {
            do {
                return try await body()
            } catch {
                guard error.isPassing, clock.now < end else { throw error.about(subject) }
                do { try await clock.sleep(until: clock.now + .milliseconds(100)) } catch { throw .cancelled }
            }
        }
    }

    /// Makes the agent known to bluetoothd, once for each that is met.
    func registerAgent() async throws(BluetoothError) {
        _ = try await link.tree()
        let run = link.now.runs
        guard agentRun.withLock({ $0 }) != run else { return }
        // What another had asked for is void.
        agent.dropQuestions()
        do {
            try await link.call(
                BlueZ.manager, BlueZ.agentManager, "RegisterAgent",
                [.objectPath(PairingAgent.path), .string("DisplayYesNo")])
        } catch .refused("org.bluez.Error.AlreadyExists", _) {
            // Two tasks of this program were here at once.
        } catch {
            throw error
        }
        agentRun.withLock { $0 = run }
    }

    /// A number for an object to show.
    func nextObject() -> UInt64 {
        objects.withLock { number in
            number += 1
            return number
        }
    }
}
