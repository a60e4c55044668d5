/// A channel of datagrams to one peer: ordered, whole, and lossless until it is closed.
public protocol DatagramTransport: Sendable {
    /// The most bytes of one datagram that is sent.
    var largestDatagram: Int { get }

    /// Hands over one datagram and returns when the transport has taken it; where there is no room it waits for room.
    ///
    /// - Throws: `.datagramTooLong` with nothing sent and the channel still usable; `.closed`; `.system`.
    func send(_ datagram: [UInt8]) async throws(WormholeError)

    /// Waits for the next datagram. One task at a time receives.
    ///
    /// - Throws: `.closed` once the peer has closed and all that it sent was received; `.datagramTooLong` for one that
    ///   is longer than this side takes (it is dropped, the channel stays usable); `.system`.
    func receive() async throws(WormholeError) -> [UInt8]

    /// Closes the channel at once. Pending calls of `send` and `receive` throw `.closed`. Closing twice does nothing.
    func close()
}

/// Where channels come in: peers connect, this side accepts.
public protocol TransportListener: Sendable {
    /// Waits for the next peer.
    ///
    /// - Throws: `.closed` once the listener is closed; `.foreignPeer` for a peer that was refused, after which the
    ///   next call goes on.
    func accept() async throws(WormholeError) -> any DatagramTransport

    /// Stops listening and removes what it put into the file system. Channels that were accepted stay open.
    func close()
}

/// How a channel is opened from this side.
public protocol TransportConnector: Sendable {
    /// Opens a channel.
    ///
    /// - Throws: whatever stands in the way just now; the endpoint tries again with growing pauses.
    func connect() async throws(WormholeError) -> any DatagramTransport
}
