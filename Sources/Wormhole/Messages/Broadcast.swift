import Synchronization

/// Sends every element to every present listener, in order. A listener that is slow misses none.
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

    /// A sequence of `history` and then of everything that is sent from now on.
    func listen(after history: [Element] = []) -> AsyncStream<Element> {
        listen(after: history) { $0 }
    }

    /// A sequence of the values that `transform` returns for everything from now on, without nil.
    func listen<Output: Sendable>(
        after history: [Element] = [], _ transform: @escaping @Sendable (Element) -> Output?
    ) -> AsyncStream<Output> {
        let (stream, continuation) = AsyncStream.makeStream(of: Output.self)
        let hear: @Sendable (Element) -> Void = { element in
            if let output = transform(element) { continuation.yield(output) }
        }
        for element in history { hear(element) }
        source.withLock { source in
            switch source {
            case .open(let number, var listeners):
                listeners[number] = Listener(hear: hear, finish: { continuation.finish() })
                source = .open(nextNumber: number + 1, listeners: listeners)
                continuation.onTermination = { [weak self] _ in self?.forget(number) }
            case .finished: continuation.finish()
            }
        }
        return stream
    }

    func send(_ element: Element) {
        source.withLock { source in
            guard case .open(_, let listeners) = source else { return }
            for listener in listeners.values { listener.hear(element) }
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
        source.withLock { source in
            guard case .open(let next, var listeners) = source else { return }
            listeners[number] = nil
            source = .open(nextNumber: next, listeners: listeners)
        }
    }
}
