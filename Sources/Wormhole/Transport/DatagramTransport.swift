/// A channel of datagrams to one peer. Datagrams arrive complete, in order and without loss until the channel closes.
public protocol DatagramTransport: Sendable {
    /// The other end, as the system identifies it. It never changes, even after the channel has closed.
    var peer: TransportPeer { get }

    /// The most bytes of one datagram to send.
    var largestDatagram: Int { get }

    /// Sends one datagram. Waits for room, and returns when the transport has taken it.
    /// - Throws: `.datagramTooLong`, after which the channel is still usable; `.closed`; `.system`.
    nonisolated(nonsending) func send(_ datagram: [UInt8]) async throws(WormholeError)

    /// Sends one datagram if the transport takes it without waiting.
    /// - Returns: false, with nothing sent, if there is no room now or if the channel cannot send without waiting.
    /// - Throws: the errors of `send`.
    func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool

    /// Runs tasks on the thread that receives datagrams; nil if the channel has none of its own. A task that prefers this
    /// executor receives without a thread switch. It must not block the thread, which also serves other channels.
    var arrivals: (any TaskExecutor)? { get }

    /// Waits for the next datagram. Only one task at a time may receive.
    /// - Throws: `.closed` if the peer has closed and all its datagrams were received; `.datagramTooLong` if a datagram exceeded
    ///   this side's limit and was dropped, after which the channel is still usable; `.system`.
    nonisolated(nonsending) func receive() async throws(WormholeError) -> [UInt8]

    /// The next datagram; nil if none has arrived, or if the channel cannot receive without waiting. Only the receiving task
    /// may call it.
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

    /// Nil: by default any thread may serve the channel.
    public var arrivals: (any TaskExecutor)? { nil }
}

/// Accepts channels that peers open.
public protocol TransportListener: Sendable {
    /// Waits for the next peer.
    /// - Throws: `.closed` once the listener is closed; `.foreignPeer` if a peer was refused, after which the next call
    ///   continues.
    func accept() async throws(WormholeError) -> any DatagramTransport

    /// Stops listening, and removes the listener's files. Accepted channels stay open.
    func close()
}

/// Opens channels from this side.
public protocol TransportConnector: Sendable {
    /// Opens a channel, or throws the reason. The endpoint tries again with growing pauses.
    func connect() async throws(WormholeError) -> any DatagramTransport
}
