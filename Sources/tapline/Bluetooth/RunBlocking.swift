import HostSystem

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
