/// A channel of datagrams to one peer: ordered, whole, and lossless until it is closed.
public protocol DatagramTransport: Sendable {
    /// Who is at the other end, as the system vouches for it. It stays the same until the channel is closed, and after.
    var peer: TransportPeer { get }

    /// The most bytes of one datagram to send.
    var largestDatagram: Int { get }

    /// Sends one datagram. Returns when the transport has accepted it, and waits while there is no room.
    ///
    /// - Throws: `.datagramTooLong` with nothing sent and the channel still usable; `.closed`; `.system`.
    nonisolated(nonsending) func send(_ datagram: [UInt8]) async throws(WormholeError)

    /// Sends one datagram if that takes no waiting.
    ///
    /// - Returns: false, with nothing sent, where there is no room now, and for a channel that always waits.
    /// - Throws: as `send`.
    func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool

    /// What runs on the thread that datagrams arrive on, which serves other channels as well; nil where there is no such
    /// thread. A task that prefers it receives them without a switch to another thread, and must not hold it up.
    var arrivals: (any TaskExecutor)? { get }

    /// Waits for the next datagram. One task at a time receives.
    ///
    /// - Throws: `.closed` once the peer has closed and everything that it sent was received; `.datagramTooLong` for a
    ///   datagram that is longer than this side accepts (it is dropped, the channel stays usable); `.system`.
    nonisolated(nonsending) func receive() async throws(WormholeError) -> [UInt8]

    /// The next datagram, if it has arrived; nil where none is waiting now, and for a channel that always waits. Only the task
    /// that receives calls it.
    ///
    /// - Throws: as `receive`.
    func receiveAtOnce() throws(WormholeError) -> [UInt8]?

    /// Closes the channel at once. Pending calls of `send` and `receive` throw `.closed`. Closing twice does nothing.
    func close()
}

extension DatagramTransport {
    /// A channel that always waits.
    public func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool { false }

    /// A channel that always waits.
    public func receiveAtOnce() throws(WormholeError) -> [UInt8]? { nil }

    /// A channel that any thread may serve.
    public var arrivals: (any TaskExecutor)? { nil }
}

/// Accepts channels that peers open.
public protocol TransportListener: Sendable {
    /// Waits for the next peer.
    ///
    /// - Throws: `.closed` once the listener is closed; `.foreignPeer` for a peer that was refused, after which the
    ///   next call continues.
    func accept() async throws(WormholeError) -> any DatagramTransport

    /// Stops listening and removes what it put into the file system. Accepted channels stay open.
    func close()
}

/// Opens channels from this side.
public protocol TransportConnector: Sendable {
    /// Opens a channel.
    ///
    /// - Throws: the reason why this attempt failed; the endpoint tries again with growing pauses.
    func connect() async throws(WormholeError) -> any DatagramTransport
}
