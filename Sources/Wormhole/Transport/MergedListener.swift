/// A listener that combines several others. It starts to accept channels when it is created, and queues them for `accept()`.
public final class MergedListener: TransportListener {
    private let listeners: [any TransportListener]
    private let arrivals: ChannelQueue
    private let tasks: [Task<Void, Never>]

    /// Starts to accept channels from `listeners`, which the caller must no longer use. If a listener fails to accept, it is
    /// tried again after a pause of at most five seconds. The other listeners continue meanwhile.
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

    /// Waits until a peer opens a channel through any of the listeners, and returns the channel.
    ///
    /// - Throws: `.closed` if this listener is closed or the task is cancelled; the error of a listener that failed to accept.
    ///   After such an error, the caller may call `accept()` again. If a listener fails repeatedly with the same error, the
    ///   error is thrown at most once.
    public func accept() async throws(WormholeError) -> any DatagramTransport { try await arrivals.next() }

    /// Closes all listeners, and the channels in the queue.
    public func close() {
        for listener in listeners { listener.close() }
        arrivals.close()
        for task in tasks { task.cancel() }
    }
}
