import HostSystem

/// Several listeners as one: a peer that connects to any of them is accepted here. A phone serves sockets and Bluetooth
/// this way.
///
/// It begins to accept with the first call of `accept()`. One task at a time accepts.
public final class MergedListener: TransportListener {
    private typealias Arrival = Result<any DatagramTransport, WormholeError>

    private enum Life {
        /// `accept()` has not been called yet.
        case new
        /// These tasks accept; `arrivals` were not taken yet.
        case accepting(arrivals: [Arrival], by: [Task<Void, Never>])
        case closed
    }

    private let listeners: [any TransportListener]
    private let life = WaitableState(Life.new)

    /// The listeners of `listeners` as one.
    public init(_ listeners: [any TransportListener]) {
        self.listeners = listeners
    }

    deinit { close() }

    /// Waits for the next peer of any of them.
    ///
    /// - Throws: what that listener throws, after which the next call goes on; `.closed` once this is closed or the
    ///   task is cancelled.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        begin()
        let arrival: Arrival? = try await life.wait { life throws(WormholeError) in
            guard case .accepting(var arrivals, let tasks) = life else { throw .closed }
            guard !arrivals.isEmpty else { return nil }
            let first = arrivals.removeFirst()
            life = .accepting(arrivals: arrivals, by: tasks)
            return first
        }
        guard let arrival else { throw .closed }
        return try arrival.get()
    }

    /// Closes all of them. Channels that nobody has taken are closed, too.
    public func close() {
        let last = life.change { life in
            defer { life = .closed }
            return life
        }
        for listener in listeners { listener.close() }
        guard case .accepting(let arrivals, let tasks) = last else { return }
        for task in tasks { task.cancel() }
        for case .success(let transport) in arrivals { transport.close() }
    }

    private func begin() {
        life.change { life in
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
            life = .accepting(arrivals: [], by: tasks)
        }
    }

    /// Keeps what has come in. Returns whether this is still open.
    private func put(_ arrival: Arrival) -> Bool {
        life.change { life in
            guard case .accepting(let arrivals, let tasks) = life else { return false }
            life = .accepting(arrivals: arrivals + [arrival], by: tasks)
            return true
        }
    }
}
