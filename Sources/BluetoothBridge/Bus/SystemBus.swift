import Glibc
import WatchLink
import Wormhole

/// A connection to the system bus, for tasks: it calls methods, receives signals and exports objects.
///
/// When the bus is lost, calls without an answer fail with `.noBus`, the connection is opened again, and matches and
/// objects are restored. Registrations with other programs have to be repeated; `watch` reports when.
final class SystemBus: Sendable {
    /// The usual time limit of a call, as in other libraries.
    static let usualLimit = Microseconds.seconds(25)
    static let name = "org.freedesktop.DBus"

    /// DBUS_SYSTEM_BUS_ADDRESS, or the address in the D-Bus Specification.
    static var systemAddress: String {
        if let value = getenv("DBUS_SYSTEM_BUS_ADDRESS") { return String(cString: value) }
        return "unix:path=/run/dbus/system_bus_socket"
    }

    private let inbox: BusInbox
    private let clock: any LinkClock

    /// Starts the thread; the connection is opened when it is first needed.
    ///
    /// - Throws: `.system` where the process has no descriptor or thread left.
    init(
        address: String = SystemBus.systemAddress, clock: any LinkClock = SystemClock()
    ) throws(BluetoothError) {
        inbox = try BusInbox()
        self.clock = clock
        try BusLoop.start(inbox: inbox, address: address, clock: clock)
    }

    deinit { inbox.post(.close) }

    /// Makes a call. `finish` gets the result on the thread of the bus, in order with the signals.
    func send(_ call: BusCall, _ finish: @escaping @Sendable (Result<[BusValue], BluetoothError>) -> Void) {
        inbox.post(.call(inbox.nextNumber(), call, deadline: clock.now + SystemBus.usualLimit, finish))
    }

    /// Makes a call and waits for its answer.
    ///
    /// - Throws: `.noBus`, `.noDaemon`, `.notAllowed`; `.refused` with the error of the other side; `.timedOut`;
    ///   `.cancelled` where the task is cancelled: the other side continues with the call.
    func call(_ call: BusCall, within limit: Microseconds = usualLimit) async throws(BluetoothError) -> [BusValue] {
        let number = inbox.nextNumber()
        let deadline = clock.now + limit
        let result: Result<[BusValue], BluetoothError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.post(.call(number, call, deadline: deadline) { continuation.resume(returning: $0) })
                // Where the task was cancelled before, the request of `onCancel` came too early.
                if Task.isCancelled { inbox.post(.cancel(number)) }
            }
        } onCancel: {
            inbox.post(.cancel(number))
        }
        return try result.get()
    }

    /// Delivers every signal of a match to `hear`, on the thread of the bus.
    func subscribe(_ match: BusMatch, _ hear: @escaping @Sendable (BusSignal) -> Void) {
        inbox.post(.subscribe(match, hear))
    }

    /// Reports the state of the connection, now and whenever it changes, on the thread of the bus. The connection is kept
    /// open from then on.
    func watch(_ hear: @escaping @Sendable (BusCondition) -> Void) {
        inbox.post(.watch(hear))
    }

    func export(_ object: BusExport, at path: String) {
        inbox.post(.export(path: path, object))
    }

    func withdraw(_ path: String) {
        inbox.post(.export(path: path, nil))
    }

    /// Sends a signal, if there is a connection.
    func emit(_ signal: BusSignal) {
        inbox.post(.emit(signal))
    }
}
