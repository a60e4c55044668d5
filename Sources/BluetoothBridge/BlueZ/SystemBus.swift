import Glibc
import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// A connection to the system bus: it calls methods, receives signals and exports objects.
///
/// If the connection is lost, calls that wait for an answer fail with `.noBus`. If `watch` was called, the connection opens
/// again by itself. Otherwise it opens at the next call. The new connection has the same matches and exported objects. Other
/// programs drop this program's registrations when the connection is lost. The caller must repeat the registrations each
/// time that `watch` reports a connection.
final class SystemBus: Sendable {
    /// The default time limit of a call, the same as in other D-Bus libraries.
    static let usualLimit = Microseconds.seconds(25)
    static let name = "org.freedesktop.DBus"

    /// The address in the environment variable DBUS_SYSTEM_BUS_ADDRESS; if there is none, the usual address of the system
    /// bus.
    static var systemAddress: String {
        if let value = getenv("DBUS_SYSTEM_BUS_ADDRESS") { return String(cString: value) }
        return "unix:path=/run/dbus/system_bus_socket"
    }

    private let inbox: BusInbox
    private let clock: any LinkClock

    /// Starts the bus thread. The thread connects when the first D-Bus method is called, or when `watch` is called. Throws
    /// `.system` if the system refuses to create a file descriptor or a thread.
    init(
        address: String = SystemBus.systemAddress, clock: any LinkClock = SystemClock()
    ) throws(BluetoothError) {
        inbox = try BusInbox()
        self.clock = clock
        try BusLoop.start(inbox: inbox, address: address, clock: clock)
    }

    deinit { inbox.post { $0.close() } }

    /// Sends a call with the default time limit. Calls `finish` with the result on the bus thread. Answers and signals are
    /// delivered in the order in which they arrive.
    func send(_ call: BusCall, _ finish: @escaping @Sendable (Result<[BusValue], BluetoothError>) -> Void) {
        let (number, deadline) = (inbox.nextNumber(), clock.now + SystemBus.usualLimit)
        inbox.post { $0.make(call, number, deadline, finish) }
    }

    /// Sends a call, and returns the arguments of the answer.
    ///
    /// - Throws: `.noBus`; `.noDaemon` if the called program does not run; `.notAllowed`; `.refused` with any other D-Bus
    ///   error of the answer; `.unexpectedAnswer` if the answer is unreadable; `.timedOut`; `.cancelled` if the task is
    ///   cancelled. After `.timedOut` and `.cancelled`, the called program may still perform the call.
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

    /// Calls `hear` on the bus thread with each signal that fits `match`.
    func subscribe(_ match: BusMatch, _ hear: @escaping @Sendable (BusSignal) -> Void) {
        inbox.post { $0.subscribe(match, hear) }
    }

    /// Keeps the connection open from now on. Calls `hear` on the bus thread, first with the present state and then
    /// whenever the connection opens, fails to open or is lost. `hear` gets nil if there is a connection, otherwise the
    /// reason why there is none.
    func watch(_ hear: @escaping @Sendable (BluetoothError?) -> Void) {
        inbox.post { $0.watch(hear) }
    }

    func export(_ object: BusExport, at path: String) {
        inbox.post { $0.exports.objects[path] = object }
    }

    /// Removes the exported object at a path, and all objects below it.
    func withdraw(_ path: String) {
        inbox.post { loop in
            for key in loop.exports.objects.keys where key == path || BusExports.lies(key, below: path) {
                loop.exports.objects[key] = nil
            }
        }
    }

    /// Sends a signal if there is a connection, and otherwise does nothing.
    func emit(_ signal: BusSignal) {
        inbox.post { $0.emit(signal) }
    }
}

/// The queue of requests to a bus thread. Any thread may add a request.
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
    /// Answers a call. The receiver of the call must use this exactly once, on any thread, and may do so after `call` has
    /// returned.
    typealias Answer = @Sendable (Result<[BusValue], BusFault>) -> Void

    /// Returns the object's present properties, by interface and then by name. Runs on the bus thread.
    var properties: @Sendable () -> [String: [String: BusValue]]
    /// Handles calls, except those that read properties or list objects. Runs on the bus thread in the order of the calls,
    /// and must not block.
    var call: @Sendable (BusIncomingCall, @escaping Answer) -> Void

    static func passive(_ interfaces: @escaping @Sendable () -> [String: [String: BusValue]]) -> BusExport {
        BusExport(properties: interfaces) { call, answer in answer(.failure(.unknownMethod(call))) }
    }
}

/// The objects that this process exports. This type itself answers calls that read properties or list objects (D-Bus
/// Specification 0.42, "Standard Interfaces"), and passes other calls to the objects.
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
