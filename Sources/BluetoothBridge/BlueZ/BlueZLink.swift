import HostSystem
import WatchLink
import Wormhole

/// A connection to bluetoothd over the system bus. It tracks bluetoothd's objects and their properties, and calls their
/// methods.
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

    /// Streams the present state, and then each new one. A slow reader receives only the newest.
    func changes() -> AsyncStream<DaemonMachine> { machine.values() }

    /// Exports an object on the bus. Any program can read the object's properties, but only bluetoothd can call the
    /// object's own methods.
    func export(_ object: BusExport, at path: String) {
        let reserved = BusExport(properties: object.properties) { [weak self] call, answer in
            guard case .running(call.sender, _) = self?.now.state else {
                return answer(.failure(.foreignCaller(call)))
            }
            object.call(call, answer)
        }
        bus.export(reserved, at: path)
    }

    /// Handles an event. Only the bus thread calls this, both for signals and for answers to calls. Events are therefore
    /// handled in the order in which they arrive.
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
    /// Waits for bluetoothd's objects, and returns them. Throws `.timedOut` after 25 s, or `.cancelled`. If bluetoothd
    /// cannot be reached, throws the reason at once: usually `.noBus`, `.noDaemon` or `.notAllowed`.
    func tree() async throws(BluetoothError) -> ObjectTree {
        guard let tree = try await wait(within: SystemBus.usualLimit, { $0 }) else { throw .timedOut }
        return tree
    }

    /// Calls `find` with bluetoothd's objects, now and after each change, until `find` returns a value. Returns that value;
    /// nil if there is none within `limit`. Throws `.cancelled`. If bluetoothd cannot be reached, throws the reason at once:
    /// usually `.noBus`, `.noDaemon` or `.notAllowed`.
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

    /// Runs `calls` in a new task, and waits for its end. The calls therefore run even if the present task is cancelled.
    /// Ignores errors: if bluetoothd is gone, there is nothing to undo.
    func undo(_ calls: @escaping @Sendable () async throws(BluetoothError) -> Void) async {
        await Task { try? await calls() }.value
    }

    func set(_ path: String, _ interface: String, _ name: String, _ value: BusValue) async throws(BluetoothError) {
        try await call(path, BlueZ.properties, "Set", [.string(interface), .string(name), .variant(value)])
    }
}

/// The state machine that tracks whether bluetoothd runs and which objects it has. `handle` returns the calls to make next.
struct DaemonMachine: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case looking
        /// The bus cannot be reached, or a call to the bus or to bluetoothd failed. For example, the system refuses this
        /// user access to bluetoothd.
        case unreachable(BluetoothError)
        /// The bus is connected, but bluetoothd does not run.
        case absent
        /// bluetoothd runs under this unique name on the bus. It has not yet answered the request for its objects.
        case loading(owner: String)
        /// bluetoothd runs under this unique name on the bus, and has these objects.
        case running(owner: String, ObjectTree)
    }

    enum Event: Hashable, Sendable {
        case connected
        case disconnected(BluetoothError)
        /// The bus reported bluetoothd's unique name; nil if bluetoothd does not run.
        case owner(String?)
        /// The call that asks the bus for bluetoothd's unique name failed.
        case unanswered(BluetoothError)
        case objects(owner: String, Result<ObjectTree, BluetoothError>)
        /// A signal about objects or properties. The machine ignores it unless bluetoothd sent it.
        case signal(BusSignal)
    }

    enum Action: Hashable, Sendable {
        case askOwner
        case askObjects(owner: String)
    }

    private(set) var state = State.looking
    /// The number of times that bluetoothd's objects have been loaded. They are loaded after each start of bluetoothd
    /// and after each new connection to the bus. bluetoothd then has none of this program's earlier registrations.
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

/// bluetoothd's names and object paths on the bus (BlueZ 5.66, doc/*-api.txt), and the standard D-Bus interfaces that
/// bluetoothd uses.
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
