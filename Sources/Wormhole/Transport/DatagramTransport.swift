/// A channel that carries datagrams to and from one peer. Until it closes, datagrams arrive complete and in order. A datagram
/// is lost only if it is longer than its receiver's limit.
public protocol DatagramTransport: Sendable {
    /// The process or device at the other end, as the operating system identifies it. This value never changes, even after the
    /// channel has closed.
    var peer: TransportPeer { get }

    /// The maximum size in bytes of a datagram to send.
    var largestDatagram: Int { get }

    /// Sends one datagram. Waits until the transport has room for it, and returns when the transport has accepted it. The peer
    /// may not have received it yet.
    /// - Throws: `.datagramTooLong`, after which the channel is still usable; `.closed`; `.system`.
    nonisolated(nonsending) func send(_ datagram: [UInt8]) async throws(WormholeError)

    /// Sends one datagram if the transport takes it without waiting.
    /// - Returns: false, with nothing sent, if there is no room now or if the channel cannot send without waiting.
    /// - Throws: the errors of `send`.
    func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool

    /// An executor that runs tasks on the thread that waits for the channel's datagrams; nil if there is no such thread. A task
    /// that prefers this executor receives without a thread switch. The task must not block the thread, because other channels
    /// use the same thread.
    var arrivals: (any TaskExecutor)? { get }

    /// Waits for the next datagram. Only one task at a time may receive.
    /// - Throws: `.closed` if the peer has closed and all its datagrams were received, if this side has closed, or if the task
    ///   is cancelled; `.datagramTooLong` if a datagram exceeded this side's limit and was dropped, after which the channel is
    ///   still usable; `.system`.
    nonisolated(nonsending) func receive() async throws(WormholeError) -> [UInt8]

    /// Returns the next datagram; nil if none has arrived, or if the channel cannot receive without waiting. Only the task that
    /// calls `receive` may call this.
    /// - Throws: the errors of `receive`.
    func receiveAtOnce() throws(WormholeError) -> [UInt8]?

    /// Closes the channel at once. Pending calls of `send` and `receive` throw `.closed`. A second call does nothing.
    func close()
}

extension DatagramTransport {
    /// Returns false: by default a channel cannot send without waiting.
    public func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool { false }

    /// Returns nil: by default a channel cannot receive without waiting.
    public func receiveAtOnce() throws(WormholeError) -> [UInt8]? { nil }

    /// Nil: by default no particular thread waits for the channel's datagrams.
    public var arrivals: (any TaskExecutor)? { nil }
}

/// Accepts channels that peers open.
public protocol TransportListener: Sendable {
    /// Waits until a peer opens a channel, and returns the channel.
    /// - Throws: `.closed` once the listener is closed; `.foreignPeer` if the listener refused a process of another user. After
    ///   any error but `.closed`, the caller may call again.
    func accept() async throws(WormholeError) -> any DatagramTransport

    /// Stops listening, and removes the listener's socket file if it has one. Accepted channels stay open.
    func close()
}

/// Opens channels to a peer that listens.
public protocol TransportConnector: Sendable {
    /// Opens a channel to the peer. If this throws, the endpoint calls it again after a pause, which grows with each failure.
    func connect() async throws(WormholeError) -> any DatagramTransport
}
