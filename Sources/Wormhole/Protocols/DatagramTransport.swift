/// A channel of datagrams to one peer: ordered, whole, and lossless until it is closed.
public protocol DatagramTransport: Sendable {
    /// Who is at the other end, as the system vouches for it. It stays the same until the channel is closed, and after.
    var peer: TransportPeer { get }

    /// The most bytes of one datagram to send.
    var largestDatagram: Int { get }

    /// Sends one datagram. Returns when the transport has accepted it, and waits while there is no room.
    ///
    /// - Throws: `.datagramTooLong` with nothing sent and the channel still usable; `.closed`; `.system`.
    func send(_ datagram: [UInt8]) async throws(WormholeError)

    /// Waits for the next datagram. One task at a time receives.
    ///
    /// - Throws: `.closed` once the peer has closed and everything that it sent was received; `.datagramTooLong` for a
    ///   datagram that is longer than this side accepts (it is dropped, the channel stays usable); `.system`.
    func receive() async throws(WormholeError) -> [UInt8]

    /// Closes the channel at once. Pending calls of `send` and `receive` throw `.closed`. Closing twice does nothing.
    func close()
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
