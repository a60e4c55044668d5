/// Several listeners as one. It accepts at once, and queues the channels for `accept()`.
public final class MergedListener: TransportListener {
    private let listeners: [any TransportListener]
    private let arrivals: ChannelQueue
    private let tasks: [Task<Void, Never>]

    /// Merges `listeners`, which the caller must not use otherwise. If one of them fails, it is tried again after a
    /// pause of at most five seconds; the others continue.
    public init(_ listeners: [any TransportListener], clock: any LinkClock = SystemClock()) {
        // The tasks hold the queue but not this object, so that the release of this object ends them.
        let arrivals = ChannelQueue()
        self.listeners = listeners
        self.arrivals = arrivals
        tasks = listeners.map { listener in
            Task {
                await listener.acceptEach(clock) {
                    arrivals.put(.failure($0))
                } accepted: { channel, _ in
                    arrivals.put(.success(channel))
                }
            }
        }
    }

    deinit { close() }

    /// Waits for the next peer of any listener.
    ///
    /// - Throws: an error of a listener, after which the next call continues. A listener reports its last error again only after
    ///   a minute. Also `.closed` if this listener is closed or the task is cancelled.
    public func accept() async throws(WormholeError) -> any DatagramTransport { try await arrivals.next() }

    /// Closes all listeners, and the channels in the queue.
    public func close() {
        for listener in listeners { listener.close() }
        arrivals.close()
        for task in tasks { task.cancel() }
    }
}
