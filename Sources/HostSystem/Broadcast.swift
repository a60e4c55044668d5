import Synchronization

/// Sends each element to every listener, in order. A slow listener loses its oldest unread elements.
///
/// The lock `delivery` keeps deliveries in order. The lock of `source` is free during a delivery, to avoid a deadlock. When
/// a task is cancelled, the runtime locks the task, and then takes the lock of `source` to remove the task's listener. A
/// delivery locks the task too.
package final class Broadcast<Element: Sendable>: Sendable {
    package typealias Listener = @Sendable (Element?) -> Void

    package struct Source {
        var count: UInt64 = 0
        package var listeners: [UInt64: Listener] = [:]
    }

    package static var mostUnread: Int { 10_000 }

    package let source = Mutex<Source?>(Source())
    private let delivery = Mutex(())

    package init() {}

    package func listen(after history: [Element] = []) -> AsyncStream<Element> {
        listen(after: history) { $0 }
    }

    /// Returns a stream of the results of `transform`: first for each element of `history`, then for each element that is sent.
    /// Leaves out nil results.
    /// - Parameter mostUnread: the maximum number of unread results that the stream keeps.
    package func listen<Output: Sendable>(
        after history: [Element] = [], keeping mostUnread: Int = Broadcast.mostUnread,
        _ transform: @escaping @Sendable (Element) -> Output?
    ) -> AsyncStream<Output> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Output.self, bufferingPolicy: .bufferingNewest(mostUnread))
        let listener: Listener = { element in
            guard let element else { return continuation.finish() }
            if let output = transform(element) { continuation.yield(output) }
        }
        for element in history { listener(element) }
        let number: UInt64? = source.withLock { source in
            source?.count += 1
            guard let number = source?.count else { return nil }
            source?.listeners[number] = listener
            return number
        }
        if let number {
            continuation.onTermination = { [weak self] _ in self?.forget(number) }
        } else {
            continuation.finish()
        }
        return stream
    }

    package func send(_ element: Element) {
        delivery.withLock { _ in
            let source = source.withLock { $0 }
            source?.listeners.values.forEach { $0(element) }
        }
    }

    package func finish() {
        let ended = source.withLock { source in
            defer { source = nil }
            return source
        }
        ended?.listeners.values.forEach { $0(nil) }
    }

    private func forget(_ number: UInt64) {
        // Releases the listener outside of the lock, because that may run other code.
        let gone = source.withLock { $0?.listeners.removeValue(forKey: number) }
        withExtendedLifetime(gone) {}
    }
}

/// A value that tasks observe. Each task gets the present value first, and then the newest value after a change.
package final class Published<Value: Equatable & Sendable>: Sendable {
    private let state: Mutex<Value>
    private let delivery = Mutex(())
    private let changes = Broadcast<Value>()

    package init(_ value: Value) { state = Mutex(value) }

    deinit { changes.finish() }

    package var value: Value { state.withLock { $0 } }

    package func set(_ value: Value) { update { $0 = value } }

    /// Changes the value. If the new value differs from the old one, delivers the new value to the tasks.
    package func update(_ change: (inout Value) -> Void) {
        delivery.withLock { _ in
            let (before, after) = state.withLock { state in
                let before = state
                change(&state)
                return (before, state)
            }
            if after != before { changes.send(after) }
        }
    }

    /// Returns a stream of the present value and then of each new value. A slow reader misses all but the newest unread value.
    package func values() -> AsyncStream<Value> {
        delivery.withLock { _ in changes.listen(after: [value], keeping: 1) { $0 } }
    }
}
