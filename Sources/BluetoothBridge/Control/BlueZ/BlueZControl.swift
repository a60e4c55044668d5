import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// This machine's Bluetooth through BlueZ, whose daemon is called over the system bus.
///
/// Each object has a connection of its own, and so an agent of its own: a program that is both sides of a pairing needs
/// two, because BlueZ asks the agent of the side that starts a pairing, and otherwise the default agent.
public final class BlueZControl: BluetoothControl {
    /// What the agent is registered as.
    struct AgentRegistration: Hashable, Sendable {
        /// With the daemon of this number.
        var run: Int
        var capability: PairingAgent.Capability
    }

    let link: BlueZLink
    let agent: PairingAgent
    let agentRegistration = Mutex<AgentRegistration?>(nil)
    /// What other programs have said about the default agent, and tells this one's words from theirs.
    let notices = Published(HeardNotices())
    let notifier: UInt64
    private let objects = Mutex<UInt64>(0)
    /// Cancelled scans that may not have stopped yet.
    let endingScans = Mutex<[UInt64: Task<Void, Never>]>([:])

    /// Starts to look for bluetoothd on the system bus.
    ///
    /// - Throws: `.system` where the process has no descriptors or threads left. The calls report a missing bus.
    public convenience init() throws(BluetoothError) {
        try self.init(address: SystemBus.systemAddress)
    }

    /// - Parameters:
    ///   - comparison: the time for a person to compare digits.
    ///   - clock: the time of all limits.
    ///   - notifier: a number that no other program has.
    init(
        address: String = SystemBus.systemAddress, comparison: Microseconds = BluetoothLimits.comparison,
        clock: any LinkClock = SystemClock(), notifier: UInt64 = .random(in: .min ... .max)
    ) throws(BluetoothError) {
        self.notifier = notifier
        link = try BlueZLink(address: address, clock: clock)
        agent = PairingAgent(limit: comparison, clock: clock)
        let object = agent.export { [weak link] in
            link?.now.state ?? .looking
        } refusing: { [weak self] device, method, starter in
            guard let self else { return }
            Task { await self.end(device, method, starter) }
        }
        link.bus.export(object, at: PairingAgent.path)
        link.bus.subscribe(AgentNotice.match) { [notices] signal in
            guard let notice = AgentNotice(signal), notice.notifier != notifier, let sender = signal.sender else {
                return
            }
            notices.update { $0.hear(notice, from: sender, at: clock.now) }
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

    /// Ends what connects this machine and a device, and lets none of its programs begin anything new.
    ///
    /// Do it before `forget` where a host may be connecting: where Linux 6.1 deletes keys then it can crash
    /// (`hci_chan_del`, seen with 6.1.192).
    public func block(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        let path = BlueZ.path(of: peer.address, on: adapter)
        try await link.set(path, BlueZ.device, "Blocked", .yes)
        _ = try await link.wait(within: .seconds(5)) { $0.device(at: path)?.isConnected == true ? nil : true }
        // An attempt that has begun ends after its five seconds.
        let end = link.clock.now + .seconds(6)
        while link.clock.now < end, let local = try? LocalAdapter.named(adapter),
            KernelCalls.isLinked(local, to: peer.address)
        {
            do { try await link.clock.sleep(until: link.clock.now + .milliseconds(100)) } catch { throw .cancelled }
        }
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
    /// An adapter. One that has just been plugged in, or whose daemon has just started, appears a moment after the rest.
    ///
    /// - Throws: `.noAdapter` where it does not appear.
    func known(_ adapter: String) async throws(BluetoothError) -> BluetoothAdapter {
        // On a slow machine the objects may take longer than an adapter takes to appear.
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

    /// Repeats a call while BlueZ is busy, or not ready because it has just started, until `limit` is over.
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

    /// Registers the agent with bluetoothd, once for each run of the daemon and each capability.
    func registerAgent(_ capability: PairingAgent.Capability) async throws(BluetoothError) {
        _ = try await link.tree()
        let wanted = AgentRegistration(run: link.now.runs, capability: capability)
        let before = agentRegistration.withLock { $0 }
        guard before != wanted else { return }
        // The questions of an earlier daemon are void.
        if before?.run != wanted.run { agent.dropQuestions() } else { await unregisterAgent() }
        do {
            try await link.call(
                BlueZ.manager, BlueZ.agentManager, "RegisterAgent",
                [.objectPath(PairingAgent.path), .string(capability.rawValue)])
        } catch .refused("org.bluez.Error.AlreadyExists", _) {
            // Two tasks of this program registered it at once.
        } catch {
            throw error
        }
        agentRegistration.withLock { $0 = wanted }
    }

    /// Takes the agent from bluetoothd.
    func unregisterAgent() async {
        agentRegistration.withLock { $0 = nil }
        let bus = link.bus
        // The task may be cancelled, which would cancel its calls too. A daemon that is gone has forgotten the agent.
        await Task {
            _ = try? await bus.call(
                BusCall(
                    destination: BlueZ.name, path: BlueZ.manager, interface: BlueZ.agentManager,
                    member: "UnregisterAgent", body: [.objectPath(PairingAgent.path)]))
        }.value
    }

    /// A number for an object to export.
    func nextObject() -> UInt64 {
        objects.withLock { number in
            number += 1
            return number
        }
    }
}
