import Synchronization

/// A value that changes, and those who want to know when it does.
///
/// Values are handed on under a lock of their own, so that they arrive in order, and never under the one of the list of
/// listeners: a listener whose task is cancelled takes itself off the list while the runtime holds a lock of that task,
/// and whoever hands a value to that task waits for the same lock.
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

    /// The value now.
    package var value: Value { state.withLock { $0.value } }

    /// Tells everybody, where it is another value.
    package func set(_ value: Value) { update { $0 = value } }

    /// Changes the value in one step.
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

    /// The value now and whenever it changes. Who is slow hears the newest only.
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
        // Taken out under the lock and let go of outside of it.
        let gone = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(gone) {}
    }
}

extension AsyncStream where Element: Sendable {
    /// What `transform` makes of the elements, where it is another value than the one before; who is slow gets the
    /// newest.
    package func distinct<Value: Equatable & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Value
    ) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let work = Task { [elements = self] in
            var last: Value?
            for await element in elements {
                let value = transform(element)
                guard value != last else { continue }
                last = value
                continuation.yield(value)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }
}
