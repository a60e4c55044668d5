import Wormhole

/// Serves L2CAP LE channels on an adapter: the watch's side.
///
/// The kernel demands security level 4 of whoever connects, and a device that is not paired with this one is made to
/// pair or refused before `accept` hears of it. The listener outlives the adapter's being switched off and on.
public final class L2CAPListener: TransportListener {
    /// The number that a watch serves where it is free: one of those that are not assigned (0x80 to 0xff, Core
    /// Specification 5.4, volume 3, part A, section 4.22).
    public static let usualPSM: UInt16 = 0x95

    /// The address of the adapter.
    public let adapter: BluetoothAddress
    /// The number to connect to, 0x80 to 0xff: the number that the GATT service reports to a phone.
    public let psm: UInt16
    private let socket: ListeningSocket

    /// Serves channels on the adapter of this address.
    ///
    /// - Parameters:
    ///   - psm: the number to serve; nil for one that is free.
    ///   - largestArriving: the most bytes of one datagram that is received, at least `LinkLimits.smallestSDU`, at most
    ///     65,535.
    /// - Throws: `.noAdapter`; `.system`, with `.addressInUse` where the number is served already.
    public convenience init(
        on adapter: BluetoothAddress, psm: UInt16? = nil, largestArriving: Int = L2CAPChannel.usualLargestArriving
    ) throws(BluetoothError) {
        try self.init(
            on: adapter, psm: psm, largestArriving: largestArriving, level: UInt8(ChannelSecurity.demandedLevel))
    }

    /// The same with another level demanded by the kernel, for tests of what is refused later.
    init(
        on adapter: BluetoothAddress, psm: UInt16? = nil, largestArriving: Int = L2CAPChannel.usualLargestArriving,
        level: UInt8
    ) throws(BluetoothError) {
        self.adapter = try LocalAdapter.at(adapter).address
        let descriptor = try KernelCalls.makeSocket()
        socket = ListeningSocket(owning: descriptor)
        try KernelCalls.bind(descriptor, to: adapter, psm: psm ?? 0)
        try KernelCalls.demand(level, of: descriptor)
        try KernelCalls.setLargestArriving(largestArriving, of: descriptor)
        try KernelCalls.listen(descriptor)
        self.psm = try KernelCalls.psm(of: descriptor)
    }

    /// The descriptor to poll for `POLLIN` before `acceptWaiting`, or nil once the listener is closed. It stays this
    /// object's.
    public var fileDescriptor: CInt? { socket.fileDescriptor }

    /// A channel that has come in already, or nil.
    ///
    /// - Throws: `.insecure` and `.tooNarrow` for a peer that was refused, after which the next call goes on; `.ended`
    ///   once the listener is closed; `.system`, as when the process has no descriptor left.
    public func acceptWaiting() throws(BluetoothError) -> L2CAPChannel? {
        while true {
            guard let (accepted, peer) = try takeConnection() else { return nil }
            do throws(BluetoothError) {
                return try L2CAPChannel(accepted, to: peer, over: adapter)
            } catch {
                accepted.close()
                // It came and went.
                guard error == .ended else { throw error }
            }
        }
    }

    /// Waits for the next peer.
    ///
    /// - Throws: `.closed`; `.transport` for a peer that was refused, after which the next call goes on, and for what
    ///   the system refuses.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        while !Task.isCancelled {
            do throws(BluetoothError) {
                if let channel = try acceptWaiting() { return channel }
            } catch {
                throw WormholeError(error)
            }
            try await socket.waitForConnection()
        }
        throw .closed
    }

    /// Stops listening. Channels that were accepted stay open.
    public func close() { socket.close() }

    private func takeConnection() throws(BluetoothError) -> (DatagramSocket, BluetoothPeer)? {
        var peer: BluetoothPeer?
        do throws(WormholeError) {
            let accepted = try socket.acceptWaiting { number in
                let accepted = KernelCalls.accept(number)
                peer = accepted.peer
                return accepted.descriptor
            }
            guard let accepted, let peer else { return nil }
            return (accepted, peer)
        } catch {
            throw BluetoothError(error)
        }
    }
}
