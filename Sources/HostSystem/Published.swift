import Synchronization

/// A value that tasks follow: each gets the value now, and then the newest after changes.
///
/// A lock of its own keeps deliveries in order. It is not the lock of the list of listeners: a listener whose task is
/// cancelled leaves the list while the runtime holds a lock of that task, and a delivery to that task waits for the same
/// lock.
package final class Published<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextNumber: UInt64 = 0
        var listeners: [UInt64: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>
    private let delivery = Mutex(())

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    deinit {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }

    package var value: Value { state.withLock { $0.value } }

    /// Whether a task follows the value.
    package var isFollowed: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Replaces the value and delivers it, where it is another one.
    package func set(_ value: Value) { update { $0 = value } }

    package func update(_ change: (inout Value) -> Void) {
        delivery.withLock { _ in
            let (value, listeners) = state.withLock { state in
                let before = state.value
                change(&state.value)
                return (state.value, state.value == before ? [] : Array(state.listeners.values))
            }
            for listener in listeners { listener.yield(value) }
        }
    }

    /// The value now and whenever it changes. A slow listener gets the newest only.
    package func values() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        delivery.withLock { _ in
            let (number, value) = state.withLock { state in
                state.nextNumber += 1
                state.listeners[state.nextNumber] = continuation
                return (state.nextNumber, state.value)
            }
            continuation.onTermination = { [weak self] _ in self?.forget(number) }
            continuation.yield(value)
        }
        return stream
    }

    private func forget(_ number: UInt64) {
        // Removed under the lock and released outside of it.
        let gone = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(gone) {}
    }
}
