import Glibc
import WatchLink
import Wormhole

/// A connection to the system bus, for tasks: it calls methods, receives signals and exports objects.
///
/// It outlives the loss of the bus: what waits for an answer fails with `.noBus`, the connection is made again, and
/// matches and objects are there again. Whatever a program on the bus was told through the connection has to be told
/// again by whoever did; `watch` says when.
final class SystemBus: Sendable {
    /// How long a call may take where nothing else is said: as long as other libraries let it.
    static let usualLimit = Microseconds.seconds(25)
    /// The bus itself.
    static let name = "org.freedesktop.DBus"

    /// Where the system bus is: what DBUS_SYSTEM_BUS_ADDRESS says, or where the D-Bus Specification puts it.
    static var systemAddress: String {
        if let value = getenv("DBUS_SYSTEM_BUS_ADDRESS") { return String(cString: value) }
        return "unix:path=/run/dbus/system_bus_socket"
    }

    private let inbox: BusInbox
    private let clock: any LinkClock

    /// Starts the thread; the connection is made when it is first needed.
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

    /// Makes a call and hands its end to `finish`, on the thread of the bus and so in step with the signals.
    ///
    /// - Returns: the number by which the call can be cancelled.
    @discardableResult
    func send(
        _ call: BusCall, within limit: Microseconds = usualLimit,
        _ finish: @escaping @Sendable (Result<[BusValue], BluetoothError>) -> Void
    ) -> UInt64 {
        let number = inbox.nextNumber()
        inbox.post(.call(number, call, deadline: clock.now + limit, finish))
        return number
    }

    /// Makes a call and waits for its answer.
    ///
    /// - Throws: `.noBus`, `.noDaemon`, `.notAllowed`; `.refused` with what the other side says; `.timedOut`;
    ///   `.cancelled` where the task is: the other side goes on with what it does.
    func call(_ call: BusCall, within limit: Microseconds = usualLimit) async throws(BluetoothError) -> [BusValue] {
        let number = inbox.nextNumber()
        let deadline = clock.now + limit
        let result: Result<[BusValue], BluetoothError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.post(.call(number, call, deadline: deadline) { continuation.resume(returning: $0) })
                // Where the task was cancelled before, that request was too early.
                if Task.isCancelled { inbox.post(.cancel(number)) }
            }
        } onCancel: {
            inbox.post(.cancel(number))
        }
        return try result.get()
    }

    /// Hands every signal of a match to `hear`, on the thread of the bus, for as long as the bus is used.
    func subscribe(_ match: BusMatch, _ hear: @escaping @Sendable (BusSignal) -> Void) {
        inbox.post(.subscribe(match, hear))
    }

    /// Reports the state of the connection, now and whenever it changes, on the thread of the bus. The connection is
    /// kept up from then on.
    func watch(_ hear: @escaping @Sendable (BusCondition) -> Void) {
        inbox.post(.watch(hear))
    }

    /// Shows an object at a path.
    func export(_ object: BusExport, at path: String) {
        inbox.post(.export(path: path, object))
    }

    /// Shows no object at a path any more.
    func withdraw(_ path: String) {
        inbox.post(.export(path: path, nil))
    }

    /// Sends a signal of an object of ours, where there is a connection.
    func emit(_ signal: BusSignal) {
        inbox.post(.emit(signal))
    }
}
