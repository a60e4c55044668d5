import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// Controls this machine's Bluetooth by calling BlueZ's daemon, bluetoothd, over the system bus.
///
/// Each `BlueZControl` has its own bus connection and its own pairing agent. A program that is both sides of a pairing needs
/// two `BlueZControl` objects. If a program starts a pairing, bluetoothd asks that program's agent to compare the digits. If
/// another device starts a pairing, bluetoothd asks the default agent.
public final class BlueZControl: BluetoothControl {
    struct AgentRegistration: Hashable, Sendable {
        var run: Int
        var capability: PairingAgent.Capability
    }

    let link: BlueZLink
    let agent: PairingAgent
    let agentRegistration = Mutex<AgentRegistration?>(nil)
    let notices = Published(HeardNotices())
    let notifier: UInt64
    private let objects = Mutex<UInt64>(0)

    /// Starts to look for bluetoothd on the system bus. If the bus is missing, the other functions throw `.noBus`. Throws
    /// `.system` if the process has no descriptor or thread left.
    public convenience init() throws(BluetoothError) {
        try self.init(address: SystemBus.systemAddress)
    }

    /// - Parameter comparison: the time for the user to compare digits.
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

    /// Returns the adapters of the machine, sorted by name.
    public func adapters() async throws(BluetoothError) -> [BluetoothAdapter] {
        try await link.tree().adapters
    }

    /// Switches an adapter on, and returns when it is on.
    public func powerOn(_ adapter: String) async throws(BluetoothError) {
        let path = BlueZ.path(ofAdapter: adapter)
        if try await known(adapter).isOn { return }
        do throws(BluetoothError) {
            try await patiently(within: .seconds(10), about: .adapter(adapter)) { [link] () throws(BluetoothError) in
                try await link.set(path, BlueZ.adapter, "Powered", .yes)
            }
        } catch {
            // BlueZ says only "Failed" if the kernel refuses.
            guard case .refused = error, LocalAdapter.isBlocked(adapter) else { throw error }
            throw .adapterBlocked(name: adapter)
        }
        let isOn = try await link.wait(within: .seconds(10)) { $0.adapter(adapter)?.isOn == true ? true : nil }
        guard isOn != nil else { throw .adapterDown(name: adapter) }
    }

    /// Returns the devices that an adapter knows: bonded, connected and recently discovered ones.
    public func devices(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice] {
        _ = try await known(adapter)
        return try await link.tree().devices(on: adapter)
    }

    /// Ends the connections to a device, and keeps this machine's programs from opening new ones.
    ///
    /// Call this before `forget` if a program of this machine may be connecting to the device. Linux 6.1 can crash if keys are
    /// deleted during an attempt to connect (`hci_chan_del`, seen with 6.1.192).
    public func block(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        let path = BlueZ.path(of: peer.address, on: adapter)
        try await link.set(path, BlueZ.device, "Blocked", .yes)
        _ = try await link.wait(within: .seconds(5)) { $0.device(at: path)?.isConnected == true ? nil : true }
        // An attempt to connect that has already begun ends within five seconds.
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
        do throws(BluetoothError) {
            let isRemoved = try await ignoring("DoesNotExist") { [link] () throws(BluetoothError) in
                try await link.call(
                    BlueZ.path(ofAdapter: adapter), BlueZ.adapter, "RemoveDevice", [.objectPath(path)])
            }
            guard isRemoved else { return }
        } catch {
            throw error.about(.device(peer.address, adapter: adapter))
        }
        _ = try await link.wait(within: .seconds(5)) { $0.device(at: path) == nil ? true : nil }
    }
}

extension BlueZControl {
    /// Returns the adapter with this name. A new adapter, or an adapter of a new daemon, appears a moment after the daemon's
    /// other objects. Throws `.noAdapter` if the adapter does not appear within a second.
    func known(_ adapter: String) async throws(BluetoothError) -> BluetoothAdapter {
        // Waits for the objects first. On a slow machine, loading them may take longer than the second below.
        _ = try await link.tree()
        guard let found = try await link.wait(within: .seconds(1), { $0.adapter(adapter) }) else {
            throw .noAdapter(name: adapter)
        }
        return found
    }

    func poweredOn(_ adapter: String) async throws(BluetoothError) -> BluetoothAdapter {
        let found = try await known(adapter)
        guard found.isOn else { throw .adapterDown(name: adapter) }
        return found
    }

    /// Runs `body`. Returns false if BlueZ answers with the error `name`, which means that the wanted state already exists.
    /// Throws other errors.
    @discardableResult
    func ignoring(
        _ name: String, _ body: @Sendable () async throws(BluetoothError) -> Void
    ) async throws(BluetoothError) -> Bool {
        do {
            try await body()
            return true
        } catch .refused("org.bluez.Error." + name, _) {
            return false
        } catch {
            throw error
        }
    }

    /// Repeats `body` every 100 ms while BlueZ is busy or still starting. When the pauses add up to `limit`, throws the error
    /// of the last call. The time that the calls take does not count: on a slow machine, one call could take longer than
    /// `limit`.
    func patiently(
        within limit: Microseconds, about subject: BluetoothError.Subject,
        _ body: @Sendable () async throws(BluetoothError) -> Void
    ) async throws(BluetoothError) {
        let clock = link.clock
        let pause = Microseconds.milliseconds(100)
        var waited = Microseconds(0)
        while true {
            do {
                return try await body()
            } catch {
                guard error.isPassing, waited < limit else { throw error.about(subject) }
                do { try await clock.sleep(until: clock.now + pause) } catch { throw .cancelled }
                waited = waited + pause
            }
        }
    }

    /// Registers the agent with bluetoothd. Does nothing if this run of bluetoothd already has the agent with this capability.
    func registerAgent(_ capability: PairingAgent.Capability) async throws(BluetoothError) {
        _ = try await link.tree()
        let wanted = AgentRegistration(run: link.now.runs, capability: capability)
        let before = agentRegistration.withLock { $0 }
        guard before != wanted else { return }
        // The previous daemon no longer waits for answers to its questions.
        if before?.run != wanted.run { agent.dropQuestions() } else { await unregisterAgent() }
        // Another task of this program may register the agent at the same time.
        try await ignoring("AlreadyExists") { [link] () throws(BluetoothError) in
            try await link.call(
                BlueZ.manager, BlueZ.agentManager, "RegisterAgent",
                [.objectPath(PairingAgent.path), .string(capability.rawValue)])
        }
        agentRegistration.withLock { $0 = wanted }
    }

    func unregisterAgent() async {
        agentRegistration.withLock { $0 = nil }
        await link.undo { [link] () throws(BluetoothError) in
            try await link.call(
                BlueZ.manager, BlueZ.agentManager, "UnregisterAgent", [.objectPath(PairingAgent.path)])
        }
    }

    func nextObject() -> UInt64 {
        objects.withLock { number in
            number += 1
            return number
        }
    }
}

extension BlueZControl {
    /// Connects to a device, and returns when its services are known.
    public func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        _ = try await poweredOn(adapter)
        let path = BlueZ.path(of: peer.address, on: adapter)
        let subject = BluetoothError.Subject.device(peer.address, adapter: adapter)
        let end = link.clock.now + .seconds(15)
        repeat {
            // BlueZ may be connecting to a bonded device at the same time.
            try await patiently(within: .seconds(5), about: subject) { [self] () throws(BluetoothError) in
                try await ignoring("AlreadyConnected") { [link] () throws(BluetoothError) in
                    try await link.call(path, BlueZ.device, "Connect", within: .seconds(45))
                }
            }
            if try await isResolved(peer, on: adapter, before: end) { return }
        } while link.clock.now < end
        // The next attempt needs a new connection, because this one does not answer.
        try? await disconnect(from: peer, on: adapter)
        throw .outOfReach(peer.address)
    }

    /// Waits until BlueZ knows the services of a connected device, at most until `end`. Returns false if BlueZ does not know
    /// the services by then, or if the connection is lost.
    ///
    /// A new connection may end at once. Two seconds after bluetoothd was killed, the kernel ends the links of that daemon.
    /// Until then, the next daemon may take such a link for a new connection.
    private func isResolved(
        _ peer: BluetoothPeer, on adapter: String, before end: Instant
    ) async throws(BluetoothError) -> Bool {
        let path = BlueZ.path(of: peer.address, on: adapter)
        while link.clock.now < end {
            let isResolved = try await link.wait(within: .milliseconds(500)) { tree in
                tree.device(at: path)?.connection == .resolved ? true : nil
            }
            if isResolved != nil { return true }
            // Asks the kernel, because BlueZ does not report a link that is older than its daemon.
            if let local = try? LocalAdapter.named(adapter), !KernelCalls.isLinked(local, to: peer.address) {
                return false
            }
        }
        return false
    }

    /// Ends the connection to a device, if there is one.
    public func disconnect(from peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        _ = try await known(adapter)
        let path = BlueZ.path(of: peer.address, on: adapter)
        guard try await link.tree().device(at: path)?.isConnected == true else { return }
        do throws(BluetoothError) {
            let isEnding = try await ignoring("NotConnected") { [link] () throws(BluetoothError) in
                try await link.call(path, BlueZ.device, "Disconnect")
            }
            guard isEnding else { return }
        } catch {
            throw error.about(.device(peer.address, adapter: adapter))
        }
        _ = try await link.wait(within: .seconds(5)) { tree in
            tree.device(at: path)?.isConnected == true ? nil : true
        }
    }

    /// Returns the PSM of the L2CAP channel that a connected watch serves.
    public func channelNumber(of peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) -> UInt16 {
        let bytes = try await value(of: .channelNumber, in: .tapline, of: peer, on: adapter)
        guard bytes.count == 2 else { throw .unexpectedAnswer("the PSM has \(CountText(bytes.count, "byte"))") }
        return UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    }

    /// Reads a characteristic. Throws `.noService` if the device has no such characteristic; `.outOfReach` if it is not
    /// connected.
    func value(
        of characteristic: BluetoothUUID, in service: BluetoothUUID, of peer: BluetoothPeer, on adapter: String
    ) async throws(BluetoothError) -> [UInt8] {
        let device = BlueZ.path(of: peer.address, on: adapter)
        guard try await link.tree().device(at: device)?.connection == .resolved else { throw .outOfReach(peer.address) }
        // BlueZ counts the stored services of a bonded device as known. If the services have changed, the rest appears later.
        let found = try await link.wait(within: .seconds(2)) {
            $0.characteristic(characteristic, in: service, of: device)
        }
        guard let path = found else { throw .noService(peer.address) }
        do throws(BluetoothError) {
            let body = try await link.call(path, BlueZ.gattCharacteristic, "ReadValue", [.named([:])])
            guard let bytes = body.first?.octets else { throw .unexpectedAnswer("ReadValue") }
            return bytes
        } catch {
            throw error.about(.device(peer.address, adapter: adapter))
        }
    }
}
