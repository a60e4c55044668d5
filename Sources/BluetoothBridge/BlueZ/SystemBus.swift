import Glibc
import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// A connection to the system bus: it calls methods, receives signals and exports objects.
///
/// If the bus is lost, calls without an answer fail with `.noBus`. The connection then opens again, with the same matches and
/// objects. The caller has to repeat its registrations with other programs, each time that `watch` reports a connection.
final class SystemBus: Sendable {
    /// The time limit of a call, the same as in other D-Bus libraries.
    static let usualLimit = Microseconds.seconds(25)
    static let name = "org.freedesktop.DBus"

    /// The address in DBUS_SYSTEM_BUS_ADDRESS, or else the one in the D-Bus Specification.
    static var systemAddress: String {
        if let value = getenv("DBUS_SYSTEM_BUS_ADDRESS") { return String(cString: value) }
        return "unix:path=/run/dbus/system_bus_socket"
    }

    private let inbox: BusInbox
    private let clock: any LinkClock

    /// The connection opens when it is first needed. Throws `.system` if the process has no descriptor or thread left.
    init(
        address: String = SystemBus.systemAddress, clock: any LinkClock = SystemClock()
    ) throws(BluetoothError) {
        inbox = try BusInbox()
        self.clock = clock
        try BusLoop.start(inbox: inbox, address: address, clock: clock)
    }

    deinit { inbox.post { $0.close() } }

    /// Sends a call. `finish` gets the result on the thread of the bus, in order with the signals.
    func send(_ call: BusCall, _ finish: @escaping @Sendable (Result<[BusValue], BluetoothError>) -> Void) {
        let (number, deadline) = (inbox.nextNumber(), clock.now + SystemBus.usualLimit)
        inbox.post { $0.make(call, number, deadline, finish) }
    }

    /// Sends a call, and returns the answer. Throws `.noBus`, `.noDaemon`, `.notAllowed`; `.refused` with the error of the
    /// other side; `.timedOut`; `.cancelled` if the task is cancelled, although the other side continues with the call.
    func call(_ call: BusCall, within limit: Microseconds = usualLimit) async throws(BluetoothError) -> [BusValue] {
        let number = inbox.nextNumber()
        let deadline = clock.now + limit
        let result: Result<[BusValue], BluetoothError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.post { $0.make(call, number, deadline) { continuation.resume(returning: $0) } }
                // If the task was cancelled before this post, the request of `onCancel` came first and had no effect.
                if Task.isCancelled { inbox.post { $0.finish(number, .failure(.cancelled)) } }
            }
        } onCancel: {
            inbox.post { $0.finish(number, .failure(.cancelled)) }
        }
        return try result.get()
    }

    /// `hear` gets every signal that fits `match`, on the thread of the bus.
    func subscribe(_ match: BusMatch, _ hear: @escaping @Sendable (BusSignal) -> Void) {
        inbox.post { $0.subscribe(match, hear) }
    }

    /// Calls `hear` on the thread of the bus, now and at each change: with nil if there is a connection, or with the reason why
    /// there is none. From now on the connection is kept open.
    func watch(_ hear: @escaping @Sendable (BluetoothError?) -> Void) {
        inbox.post { $0.watch(hear) }
    }

    func export(_ object: BusExport, at path: String) {
        inbox.post { $0.exports.objects[path] = object }
    }

    /// Withdraws the object at a path, and those below it.
    func withdraw(_ path: String) {
        inbox.post { loop in
            for key in loop.exports.objects.keys where key == path || BusExports.lies(key, below: path) {
                loop.exports.objects[key] = nil
            }
        }
    }

    /// Sends a signal, if there is a connection.
    func emit(_ signal: BusSignal) {
        inbox.post { $0.emit(signal) }
    }
}

/// The requests that the thread of a bus has not taken yet.
final class BusInbox: Sendable {
    typealias Request = @Sendable (BusLoop) -> Void

    private let requests = Mutex<[Request]>([])
    private let numbers = Atomic<UInt64>(0)
    private let arrival: EventDescriptor

    init() throws(BluetoothError) {
        do throws(HostSystemError) {
            arrival = try EventDescriptor()
        } catch {
            throw BluetoothError(error)
        }
    }

    /// A descriptor that is readable while requests wait.
    var descriptor: CInt { arrival.descriptor }

    func nextNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

    func post(_ request: @escaping Request) {
        requests.withLock { $0.append(request) }
        arrival.signal()
    }

    func take() -> [Request] {
        arrival.drain()
        return requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }
}

/// An object of this process that other programs on the bus can call.
struct BusExport: Sendable {
    /// Answers a call: exactly once, from any thread, at any time.
    typealias Answer = @Sendable (Result<[BusValue], BusFault>) -> Void

    /// Returns the properties by interface and name.
    var properties: @Sendable () -> [String: [String: BusValue]]
    /// Handles calls except those for properties, in order, on the thread of the bus. It must not block.
    var call: @Sendable (BusIncomingCall, @escaping Answer) -> Void

    static func passive(_ interfaces: @escaping @Sendable () -> [String: [String: BusValue]]) -> BusExport {
        BusExport(properties: interfaces) { call, answer in answer(.failure(.unknownMethod(call))) }
    }
}

/// The objects of this process, with the standard interfaces (D-Bus Specification 0.42, "Standard Interfaces").
struct BusExports {
    var objects: [String: BusExport] = [:]

    func handle(_ call: BusIncomingCall, _ answer: @escaping BusExport.Answer) {
        guard let object = objects[call.path] else { return answer(.failure(.unknownObject(call))) }
        switch call.interface {
        case BlueZ.properties where call.member != "Set": answer(property(of: object, call))
        // A path with objects below it is an object manager.
        case BlueZ.objectManager
        where call.member == "GetManagedObjects"
            && objects.keys.contains { BusExports.lies($0, below: call.path) }:
            answer(.success([managedObjects(below: call.path)]))
        default: object.call(call, answer)
        }
    }

    private func property(of object: BusExport, _ call: BusIncomingCall) -> Result<[BusValue], BusFault> {
        let interfaces = object.properties()
        guard let interface = call.body.first?.text else { return .failure(.invalidArguments) }
        switch call.member {
        case "GetAll": return .success([.named(interfaces[interface] ?? [:])])
        case "Get":
            guard call.body.count > 1, let name = call.body[1].text, let value = interfaces[interface]?[name] else {
                return .failure(.invalidArguments)
            }
            return .success([.variant(value)])
        default: return .failure(.unknownMethod(call))
        }
    }

    static func lies(_ path: String, below other: String) -> Bool {
        path != other && path.hasPrefix(other == "/" ? other : other + "/")
    }

    private func managedObjects(below path: String) -> BusValue {
        var found: [BusValue: BusValue] = [:]
        for (place, object) in objects where BusExports.lies(place, below: path) {
            var interfaces: [BusValue: BusValue] = [:]
            for (name, properties) in object.properties() { interfaces[.string(name)] = .named(properties) }
            found[.objectPath(place)] = .dictionary(keys: "s", values: "a{sv}", interfaces)
        }
        return .dictionary(keys: "o", values: "a{sa{sv}}", found)
    }
}
