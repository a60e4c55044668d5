import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// The connection to bluetoothd: its present objects, and calls of them.
final class BlueZLink: Sendable {
    let bus: SystemBus
    /// The time of the limits.
    let clock: any LinkClock
    private let machine = Published(DaemonMachine())

    init(address: String, clock: any LinkClock = SystemClock()) throws(BluetoothError) {
        self.clock = clock
        bus = try SystemBus(address: address, clock: clock)
        let hear: @Sendable (BusSignal) -> Void = { [weak self] in self?.handle(.signal($0)) }
        bus.subscribe(BusMatch(sender: BlueZ.name, interface: BlueZ.objectManager), hear)
        bus.subscribe(BusMatch(sender: BlueZ.name, interface: BlueZ.properties), hear)
        bus.subscribe(
            BusMatch(
                sender: SystemBus.name, interface: SystemBus.name, member: "NameOwnerChanged", firstArgument: BlueZ.name
            )
        ) { [weak self] _ in self?.askOwner() }
        bus.watch { [weak self] condition in
            switch condition {
            case .connected: self?.handle(.connected)
            case .lost(let error): self?.handle(.disconnected(error))
            }
        }
    }

    var now: DaemonMachine { machine.value }

    /// The state now and whenever it changes; a slow listener gets the newest.
    func changes() -> AsyncStream<DaemonMachine> { machine.values() }

    /// Exports an object that bluetoothd alone may call.
    func export(_ object: BusExport, at path: String) {
        let reserved = object.reserved { [weak self] sender in
            guard case .running(let owner, _) = self?.now.state else { return false }
            return sender == owner
        }
        bus.export(reserved, at: path)
    }

    /// Takes in an event, on the thread of the bus. The answers to its questions arrive on that thread too, so events are
    /// handled in order.
    private func handle(_ event: DaemonMachine.Event) {
        var actions: [DaemonMachine.Action] = []
        machine.update { actions = $0.handle(event) }
        for action in actions {
            switch action {
            case .askOwner: askOwner()
            case .askObjects(let owner):
                let call = BusCall(
                    destination: BlueZ.name, path: "/", interface: BlueZ.objectManager, member: "GetManagedObjects")
                bus.send(call) { [weak self] result in
                    let tree = result.flatMap { body in
                        Result { () throws(BluetoothError) in try ObjectTree(body) }
                    }
                    self?.handle(.objects(owner: owner, tree))
                }
            }
        }
    }

    /// Asks the bus who bluetoothd is: what a signal says about it is a reason to ask and no more.
    private func askOwner() {
        bus.send(BusOwners.question(about: BlueZ.name)) { [weak self] result in
            switch result {
            case .success(let body): self?.handle(.owner(body.first?.text))
            case .failure(.noDaemon): self?.handle(.owner(nil))
            case .failure(let error): self?.handle(.unanswered(error))
            }
        }
    }
}

extension BlueZLink {
    /// The objects, once they are known.
    ///
    /// - Throws: `.noBus`, `.noDaemon`, `.notAllowed` where bluetoothd cannot be reached; `.timedOut`; `.cancelled`.
    func tree() async throws(BluetoothError) -> ObjectTree {
        guard let tree = try await wait(within: SystemBus.usualLimit, { $0 }) else { throw .timedOut }
        return tree
    }

    /// The first value that `find` returns for the objects, now or later; nil when the time is over.
    ///
    /// - Throws: `.noBus`, `.noDaemon`, `.notAllowed` at once where bluetoothd cannot be reached; `.cancelled`.
    func wait<Value: Sendable>(
        within limit: Microseconds, _ find: @escaping @Sendable (ObjectTree) -> Value?
    ) async throws(BluetoothError) -> Value? {
        if case .running(_, let tree) = now.state, let value = find(tree) { return value }
        let result = await withTaskGroup(of: Result<Value?, BluetoothError>.self) {
            [clock, changes = changes(), deadline = clock.now + limit] group in
            group.addTask {
                for await machine in changes {
                    switch machine.state {
                    case .looking, .loading: continue
                    case .unreachable(let error): return .failure(error)
                    case .absent: return .failure(.noDaemon)
                    case .running(_, let tree):
                        if let value = find(tree) { return .success(value) }
                    }
                }
                return .failure(.cancelled)
            }
            group.addTask {
                do { try await clock.sleep(until: deadline) } catch { return .failure(.cancelled) }
                return .success(nil)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
        return try result.get()
    }

    @discardableResult
    func call(
        _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [],
        within limit: Microseconds = SystemBus.usualLimit
    ) async throws(BluetoothError) -> [BusValue] {
        try await bus.call(
            BusCall(destination: BlueZ.name, path: path, interface: interface, member: member, body: body),
            within: limit)
    }

    func set(_ path: String, _ interface: String, _ name: String, _ value: BusValue) async throws(BluetoothError) {
        try await call(path, BlueZ.properties, "Set", [.string(interface), .string(name), .variant(value)])
    }
}
