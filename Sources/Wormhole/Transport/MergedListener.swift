import Synchronization

/// Several listeners as one: whoever connects to any of them is accepted here. A phone serves sockets and Bluetooth so.
///
/// It begins to accept with the first call of `accept()`. One task at a time accepts.
public final class MergedListener: TransportListener {
    private typealias Arrival = Result<any DatagramTransport, WormholeError>

    private enum Life {
        /// Nobody has asked yet.
        case new
        /// Accepting: what has come in and was not taken yet, and who waits for the next.
        case accepting([Arrival], waiter: CheckedContinuation<Void, Never>?, [Task<Void, Never>])
        case closed
    }

    private let listeners: [any TransportListener]
    private let life = Mutex(Life.new)

    /// The listeners of `listeners` as one.
    public init(_ listeners: [any TransportListener]) {
        self.listeners = listeners
    }

    deinit { close() }

    /// Waits for the next peer of any of them.
    ///
    /// - Throws: what that listener throws, after which the next call goes on; `.closed` once this is closed.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        begin()
        while true {
            if let arrival = try take() { return try arrival.get() }
            await waitForArrival()
        }
    }

    /// Closes all of them. Channels that nobody has taken are closed, too.
    public func close() {
        let left: (arrivals: [Arrival], waiter: CheckedContinuation<Void, Never>?, tasks: [Task<Void, Never>]) =
            life.withLock { life in
                defer { life = .closed }
                switch life {
                case .new, .closed: return ([], nil, [])
                case .accepting(let arrivals, let waiter, let tasks): return (arrivals, waiter, tasks)
                }
            }
        for listener in listeners { listener.close() }
        for task in left.tasks { task.cancel() }
        for case .success(let transport) in left.arrivals { transport.close() }
        left.waiter?.resume()
    }

    private func begin() {
        life.withLock { life in
            guard case .new = life else { return }
            // They hold the listeners and not this object, whose end ends them.
            let tasks = listeners.map { listener in
                Task { [weak self] in
                    while !Task.isCancelled {
                        let arrival: Arrival
                        do throws(WormholeError) {
                            arrival = .success(try await listener.accept())
                        } catch {
                            if error == .closed { return }
                            arrival = .failure(error)
                        }
                        guard let self, self.put(arrival) else {
                            if case .success(let transport) = arrival { transport.close() }
                            return
                        }
                    }
                }
            }
            life = .accepting([], waiter: nil, tasks)
        }
    }

    /// Keeps what has come in. Returns whether this is still open.
    private func put(_ arrival: Arrival) -> Bool {
        let outcome: (isOpen: Bool, waiter: CheckedContinuation<Void, Never>?) = life.withLock { life in
            guard case .accepting(let arrivals, let waiter, let tasks) = life else { return (false, nil) }
            life = .accepting(arrivals + [arrival], waiter: nil, tasks)
            return (true, waiter)
        }
        outcome.waiter?.resume()
        return outcome.isOpen
    }

    private func take() throws(WormholeError) -> Arrival? {
        try life.withLock { life throws(WormholeError) in
            guard !Task.isCancelled, case .accepting(var arrivals, let waiter, let tasks) = life else { throw .closed }
            guard !arrivals.isEmpty else { return nil }
            let first = arrivals.removeFirst()
            life = .accepting(arrivals, waiter: waiter, tasks)
            return first
        }
    }

    private func waitForArrival() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = life.withLock { life in
                    guard !Task.isCancelled, case .accepting(let arrivals, nil, let tasks) = life, arrivals.isEmpty
                    else { return true }
                    life = .accepting([], waiter: continuation, tasks)
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let waiter: CheckedContinuation<Void, Never>? = life.withLock { life in
                guard case .accepting(let arrivals, let waiter, let tasks) = life else { return nil }
                life = .accepting(arrivals, waiter: nil, tasks)
                return waiter
            }
            waiter?.resume()
        }
    }
}
