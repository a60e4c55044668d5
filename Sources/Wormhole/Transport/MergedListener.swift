/// Several listeners as one: a peer that connects to any of them is accepted here. A phone serves sockets and Bluetooth
/// this way.
///
/// It accepts from the beginning on, and keeps what comes for `accept()`.
public final class MergedListener: TransportListener {
    private let listeners: [any TransportListener]
    private let arrivals: ChannelQueue
    private let tasks: [Task<Void, Never>]

    /// Merges `listeners`, which nothing else uses. One that fails is tried again after a pause, which grows to five seconds; the
    /// others go on.
    public init(_ listeners: [any TransportListener], clock: any LinkClock = SystemClock()) {
        // The tasks hold the queue and not this object, so that its release ends them.
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

    /// Waits for the next peer of any of them.
    ///
    /// - Throws: what a listener throws, once until it accepts again and at most once a minute, after which the next call
    ///   continues; `.closed` once this is closed or the task is cancelled.
    public func accept() async throws(WormholeError) -> any DatagramTransport { try await arrivals.next() }

    /// Closes all of them, and the channels that were not accepted.
    public func close() {
        for listener in listeners { listener.close() }
        arrivals.close()
        for task in tasks { task.cancel() }
    }
}
