import HostSystem

/// Runs `body` for a caller that cannot await, and returns the result of `body`. Blocks the calling thread, so a task must not
/// call this.
package func runBlocking<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
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
