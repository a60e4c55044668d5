import Dispatch
import Synchronization

/// Runs something asynchronous to its end for a caller that is not, and returns its result. Not to be called from a
/// task, whose thread it would take.
func runBlocking<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            let value = try await body()
            outcome.result.withLock { $0 = .success(value) }
        } catch {
            outcome.result.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    return try outcome.result.withLock { try $0.get() }
}

/// Where the task leaves what it has got.
private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>>(.failure(NotFinished()))
}

/// Stands in for a result until there is one.
private struct NotFinished: Error {}
