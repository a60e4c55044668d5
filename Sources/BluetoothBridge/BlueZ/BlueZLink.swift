import HostSystem
import WatchLink
import Wormhole

/// Tracks the objects of bluetoothd, and calls them.
final class BlueZLink: Sendable {
    let bus: SystemBus
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
        bus.watch { [weak self] trouble in self?.handle(trouble.map(DaemonMachine.Event.disconnected) ?? .connected) }
    }

    var now: DaemonMachine { machine.value }

    /// The state now, and each later state. A slow listener gets only the newest one.
    func changes() -> AsyncStream<DaemonMachine> { machine.values() }

    /// Exports an object that only bluetoothd can call. Every program may read its properties.
    func export(_ object: BusExport, at path: String) {
        let reserved = BusExport(properties: object.properties) { [weak self] call, answer in
            guard case .running(call.sender, _) = self?.now.state else {
                return answer(.failure(.foreignCaller(call)))
            }
            object.call(call, answer)
        }
        bus.export(reserved, at: path)
    }

    /// Handles an event on the thread of the bus. The answers to the calls below arrive on that thread too, so events are
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

    private func askOwner() {
        bus.send(.ofBus("GetNameOwner", .string(BlueZ.name))) { [weak self] result in
            switch result {
            case .success(let body): self?.handle(.owner(body.first?.text))
            case .failure(.noDaemon): self?.handle(.owner(nil))
            case .failure(let error): self?.handle(.unanswered(error))
            }
        }
    }
}

extension BlueZLink {
    /// The objects of bluetoothd. Throws `.timedOut` or `.cancelled`; if bluetoothd cannot be reached, `.noBus`, `.noDaemon` or
    /// `.notAllowed`.
    func tree() async throws(BluetoothError) -> ObjectTree {
        guard let tree = try await wait(within: SystemBus.usualLimit, { $0 }) else { throw .timedOut }
        return tree
    }

    /// Returns the first value that `find` returns, now or later; nil if the time is over. Throws `.cancelled`; if bluetoothd
    /// cannot be reached, throws `.noBus`, `.noDaemon` or `.notAllowed` at once.
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

    /// Runs calls in a new task, because the calls of a cancelled task would be cancelled too. Errors are ignored: if
    /// bluetoothd is gone, there is nothing to undo.
    func undo(_ calls: @escaping @Sendable () async throws(BluetoothError) -> Void) async {
        await Task { try? await calls() }.value
    }

    func set(_ path: String, _ interface: String, _ name: String, _ value: BusValue) async throws(BluetoothError) {
        try await call(path, BlueZ.properties, "Set", [.string(interface), .string(name), .variant(value)])
    }
}

/// Handles the events of the bus, and decides what to ask next.
struct DaemonMachine: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case looking
        /// There is no bus, or bluetoothd refuses this user.
        case unreachable(BluetoothError)
        /// The bus is there, but bluetoothd is not.
        case absent
        /// bluetoothd runs under this unique name. Its objects were requested.
        case loading(owner: String)
        /// bluetoothd runs under this unique name and has these objects.
        case running(owner: String, ObjectTree)
    }

    enum Event: Hashable, Sendable {
        case connected
        case disconnected(BluetoothError)
        /// The unique name of bluetoothd; nil if bluetoothd does not run.
        case owner(String?)
        /// The bus did not answer the question for bluetoothd's unique name.
        case unanswered(BluetoothError)
        case objects(owner: String, Result<ObjectTree, BluetoothError>)
        /// A signal that may come from bluetoothd.
        case signal(BusSignal)
    }

    enum Action: Hashable, Sendable {
        case askOwner
        case askObjects(owner: String)
    }

    private(set) var state = State.looking
    /// The number of daemons so far. After a lost connection the same daemon counts again, because it has forgotten the
    /// registrations of the old connection.
    private(set) var runs = 0

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .connected:
            state = .looking
            return [.askOwner]
        case .disconnected(let error), .unanswered(let error):
            state = .unreachable(error)
            return []
        case .owner(nil):
            state = .absent
            return []
        case .owner(let owner?): return meet(owner)
        case .objects(let owner, let result):
            guard case .loading(owner) = state else { return [] }
            switch result {
            case .success(let tree):
                runs += 1
                state = .running(owner: owner, tree)
            case .failure(.noDaemon): state = .absent
            case .failure(let error): state = .unreachable(error)
            }
            return []
        case .signal(let signal):
            guard case .running(let owner, var tree) = state, signal.sender == owner else { return [] }
            tree.apply(signal)
            state = .running(owner: owner, tree)
            return []
        }
    }

    private mutating func meet(_ owner: String) -> [Action] {
        switch state {
        case .loading(owner), .running(owner, _): return []
        case .looking, .unreachable, .absent, .loading, .running:
            state = .loading(owner: owner)
            return [.askObjects(owner: owner)]
        }
    }
}

/// Names of BlueZ's interface on the bus (doc/*-api.txt of BlueZ 5.66) and of D-Bus.
enum BlueZ {
    static let name = "org.bluez"
    static let manager = "/org/bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let agent = "org.bluez.Agent1"
    static let agentManager = "org.bluez.AgentManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let gattManager = "org.bluez.GattManager1"
    static let gattService = "org.bluez.GattService1"
    static let gattCharacteristic = "org.bluez.GattCharacteristic1"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"

    static func path(ofAdapter name: String) -> String { manager + "/" + name }

    static func path(of address: BluetoothAddress, on adapter: String) -> String {
        let digits = address.description.map { $0 == ":" ? "_" : $0 }
        return path(ofAdapter: adapter) + "/dev_" + String(digits)
    }

    static func device(at path: String) -> (adapter: String, address: BluetoothAddress)? {
        let parts = path.split(separator: "/")
        guard parts.count == 4, parts[0] == "org", parts[1] == "bluez", parts[3].hasPrefix("dev_") else { return nil }
        let text = String(parts[3].dropFirst(4).map { $0 == "_" ? ":" : $0 })
        return BluetoothAddress(text).map { (String(parts[2]), $0) }
    }

    static func fault(_ name: String, _ message: String) -> BusFault {
        BusFault(name: "org.bluez.Error." + name, message: message)
    }
}
