import BluetoothBridge
import DeviceModel
import HostRadio
import HostSystem

/// How a watch reaches its phone.
enum PhoneReach {
    /// The socket of a phone's host at this path.
    case socket(path: String)
    case bluetooth(BluetoothPeripheral)

    /// The watch's end of it.
    func makeRadio(_ notes: RadioNotes) -> sending any RadioPort {
        switch self {
        case .socket(let path): SocketRadio(path: path)
        case .bluetooth(let peripheral): peripheral.makeRadio { notes.write($0) }
        }
    }

    /// Lets phones find the watch until the returned publication ends; nil where they need not.
    func publish(
        _ watch: any WatchDevice, name: String, opening: BluetoothPeripheral.Opening, _ notes: RadioNotes
    ) throws -> WatchPublication? {
        switch self {
        case .socket: nil
        case .bluetooth(let peripheral):
            try runBlocking {
                try await peripheral.publish(
                    DeviceWearer(of: watch), name: name, battery: BatteryLevel(of: watch), opening: opening
                ) {
                    notes.write($0)
                }
            }
        }
    }
}

/// Runs something asynchronous to its end for a caller that is not, and returns its result. Not to be called from a
/// task, whose thread it would take.
func runBlocking<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = WaitableState<Result<Value, any Error>?>(nil)
    Task.detached {
        do {
            let value = try await body()
            outcome.change { $0 = .success(value) }
        } catch {
            outcome.change { $0 = .failure(error) }
        }
    }
    return try outcome.block { outcome in
        outcome.map { .finish($0) } ?? .wait(microseconds: nil)
    }.get()
}
