import HostSystem
import Synchronization
import WatchLink

enum BusRequest: Sendable {
    /// Make a call, and report its result or, at `deadline`, that there is none.
    case call(
        UInt64, BusCall, deadline: WatchLink.Instant, @Sendable (Result<[BusValue], BluetoothError>) -> Void)
    /// Nobody waits for this call any more.
    case cancel(UInt64)
    case subscribe(BusMatch, @Sendable (BusSignal) -> Void)
    /// Report the state of the connection, now and whenever it changes; the connection is kept open from then on.
    case watch(@Sendable (BusCondition) -> Void)
    /// Export an object at a path; nil removes it.
    case export(path: String, BusExport?)
    case answer(BusIncomingCall.Number, Result<[BusValue], BusFault>)
    case emit(BusSignal)
    case close
}

/// The requests that the thread of a bus has not seen yet, and the descriptor that wakes it for them.
final class BusInbox: Sendable {
    private let requests = Mutex<[BusRequest]>([])
    private let numbers = Mutex<UInt64>(0)
    private let arrival: EventDescriptor

    /// - Throws: `.system` where the process has no descriptors left.
    init() throws(BluetoothError) {
        do throws(HostSystemError) {
            arrival = try EventDescriptor()
        } catch {
            throw BluetoothError(error)
        }
    }

    /// Readable while requests wait, or after `wake`.
    var descriptor: CInt { arrival.descriptor }

    /// Makes the thread check its deadlines.
    func wake() { arrival.signal() }

    /// A number for a call, unique on this bus.
    func nextNumber() -> UInt64 {
        numbers.withLock { number in
            number += 1
            return number
        }
    }

    func post(_ request: BusRequest) {
        requests.withLock { $0.append(request) }
        arrival.signal()
    }

    /// All waiting requests, in order.
    func take() -> [BusRequest] {
        arrival.drain()
        return requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }
}
