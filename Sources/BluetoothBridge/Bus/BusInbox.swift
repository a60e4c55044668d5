import HostSystem
import Synchronization
import WatchLink

/// What the thread of a bus is asked to do.
enum BusRequest: Sendable {
    /// Make a call, which has until `deadline`, and say what became of it.
    case call(
        UInt64, BusCall, deadline: WatchLink.Instant, @Sendable (Result<[BusValue], BluetoothError>) -> Void)
    /// Nobody waits for this call any more.
    case cancel(UInt64)
    /// Hand on the signals of a match, for as long as the bus is used.
    case subscribe(BusMatch, @Sendable (BusSignal) -> Void)
    /// Tell how it stands with the connection, now and whenever that changes; the connection is kept up from then on.
    case watch(@Sendable (BusCondition) -> Void)
    /// Show an object at a path, or none any more.
    case export(path: String, BusExport?)
    /// Answer a call of somebody's.
    case answer(BusIncomingCall.Number, Result<[BusValue], BusFault>)
    /// Send a signal.
    case emit(BusSignal)
    /// Close the connection and end the thread.
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

    /// The descriptor that is readable when requests wait, or `wake` was called.
    var descriptor: CInt { arrival.descriptor }

    /// Makes the thread look at its deadlines.
    func wake() { arrival.signal() }

    /// A number that no other call of this bus has.
    func nextNumber() -> UInt64 {
        numbers.withLock { number in
            number += 1
            return number
        }
    }

    /// Leaves a request for the thread.
    func post(_ request: BusRequest) {
        requests.withLock { $0.append(request) }
        arrival.signal()
    }

    /// All that waits, in the order in which it was asked for.
    func take() -> [BusRequest] {
        arrival.drain()
        return requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }
}
