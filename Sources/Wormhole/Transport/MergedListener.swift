import Synchronization
import WatchLink

/// Several listeners as one: a peer that connects to any of them is accepted here. A phone serves sockets and Bluetooth
/// this way.
///
/// It starts to accept with the first call of `accept()`. One task at a time accepts.
public final class MergedListener: TransportListener {
    private enum Life {
        /// `accept()` has not been called yet.
        case new
        /// One task for each listener accepts.
        case accepting([Task<Void, Never>])
        case closed
    }

    private let listeners: [any TransportListener]
    private let clock: any LinkClock
    private let arrivals = ChannelQueue()
    private let life = Mutex(Life.new)

    /// Merges `listeners`, which nobody else uses. One that fails is tried again after a pause, which grows to five seconds; the
    /// others go on.
    public init(_ listeners: [any TransportListener], clock: any LinkClock = SystemClock()) {
        self.listeners = listeners
        self.clock = clock
    }

    deinit { close() }

    /// Waits for the next peer of any of them.
    ///
    /// - Throws: what a listener throws, once until it accepts again and at most once a minute, after which the next call
    ///   continues; `.closed` once this is closed or the task is cancelled.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        start()
        return try await arrivals.next()
    }

    /// Closes all of them, and the channels that nobody has taken.
    public func close() {
        let last = life.withLock { life in
            defer { life = .closed }
            return life
        }
        for listener in listeners { listener.close() }
        arrivals.close()
        guard case .accepting(let tasks) = last else { return }
        for task in tasks { task.cancel() }
    }

    private func start() {
        life.withLock { life in
            guard case .new = life else { return }
            // The tasks hold the queue and not this object, so that its release ends them.
            life = .accepting(
                listeners.map { listener in
                    Task { [arrivals, clock] in
                        await listener.acceptEach(clock) {
                            arrivals.put(.failure($0))
                        } accepted: { channel, _ in
                            arrivals.put(.success(channel))
                        }
                    }
                })
        }
    }
}
