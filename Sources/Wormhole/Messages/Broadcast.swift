import Synchronization

/// Sends every element to every present listener, in order. A listener that is slow misses none until `BroadcastLimits.mostUnread` wait for
/// it; then the oldest go.
///
/// A lock of its own keeps deliveries in order, for the reason that `Published` gives.
final class Broadcast<Element: Sendable>: Sendable {
    struct Listener {
        let hear: @Sendable (Element) -> Void
        let finish: @Sendable () -> Void
    }

    enum Source {
        case open(nextNumber: UInt64, listeners: [UInt64: Listener])
        case finished
    }

    let source = Mutex(Source.open(nextNumber: 0, listeners: [:]))
    private let delivery = Mutex(())

    /// A sequence of `history` and then of everything that is sent from now on.
    func listen(after history: [Element] = []) -> AsyncStream<Element> {
        listen(after: history) { $0 }
    }

    /// A sequence of the values that `transform` returns for everything from now on, without nil.
    func listen<Output: Sendable>(
        after history: [Element] = [], keeping mostUnread: Int = BroadcastLimits.mostUnread,
        _ transform: @escaping @Sendable (Element) -> Output?
    ) -> AsyncStream<Output> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Output.self, bufferingPolicy: .bufferingNewest(mostUnread))
        let hear: @Sendable (Element) -> Void = { element in
            if let output = transform(element) { continuation.yield(output) }
        }
        for element in history { hear(element) }
        let number = source.withLock { source -> UInt64? in
            guard case .open(let number, var listeners) = source else { return nil }
            listeners[number] = Listener(hear: hear, finish: { continuation.finish() })
            source = .open(nextNumber: number + 1, listeners: listeners)
            return number
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        return stream
    }

    func send(_ element: Element) {
        delivery.withLock { _ in
            let listeners: [Listener] = source.withLock { source in
                guard case .open(_, let listeners) = source else { return [] }
                return Array(listeners.values)
            }
            for listener in listeners { listener.hear(element) }
        }
    }

    func finish() {
        let ended: [Listener] = source.withLock { source in
            guard case .open(_, let listeners) = source else { return [] }
            source = .finished
            return Array(listeners.values)
        }
        for listener in ended { listener.finish() }
    }

    private func forget(_ number: UInt64) {
        // Removed under the lock and released outside of it.
        let gone: Listener? = source.withLock { source in
            guard case .open(let next, var listeners) = source else { return nil }
            let gone = listeners.removeValue(forKey: number)
            source = .open(nextNumber: next, listeners: listeners)
            return gone
        }
        withExtendedLifetime(gone) {}
    }
}

/// Of any `Broadcast`, which as a generic type has no stored properties of its own.
enum BroadcastLimits {
    /// The most elements that wait for one listener.
    static let mostUnread = 10_000
}
