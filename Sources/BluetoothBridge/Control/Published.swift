import Synchronization

/// A value that changes, and those who want to know when it does.
final class Published<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextNumber: UInt64 = 0
        var listeners: [UInt64: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(value: value)) }

    deinit {
        state.withLock { for listener in $0.listeners.values { listener.finish() } }
    }

    /// The value now.
    var value: Value { state.withLock { $0.value } }

    /// Tells everybody, where it is another value.
    func set(_ value: Value) { update { $0 = value } }

    /// Changes the value in one step.
    func update(_ change: (inout Value) -> Void) {
        state.withLock { state in
            let before = state.value
            change(&state.value)
            guard state.value != before else { return }
            for listener in state.listeners.values { listener.yield(state.value) }
        }
    }

    /// The value now and whenever it changes. Who is slow hears the newest only.
    func values() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            state.listeners[number] = continuation
            continuation.onTermination = { [weak self] _ in self?.forget(number) }
            continuation.yield(state.value)
        }
        return stream
    }

    private func forget(_ number: UInt64) {
        // Taken out under the lock and let go of outside of it.
        let gone = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(gone) {}
    }
}
