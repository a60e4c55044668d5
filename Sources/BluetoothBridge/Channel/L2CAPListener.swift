import Wormhole

/// Accepts the L2CAP LE channels that phones open to a watch. The kernel demands security level 4: it refuses the channels of a
/// device that has not paired. The listener keeps working if the adapter is switched off and on again.
public final class L2CAPListener: TransportListener {
    /// The PSM that a watch serves unless another program on its adapter serves it. Programs may choose any PSM from 0x80 to
    /// 0xff (Core Specification 5.4, volume 3, part A, section 4.22).
    package static let usualPSM: UInt16 = 0x95

    private let adapter: BluetoothAddress
    /// The PSM that the listener serves, 0x80 to 0xff. The GATT service reports it to a phone.
    package let psm: UInt16
    private let socket: ListeningSocket

    /// Listens on `psm`, or on any free PSM if `psm` is nil. Tests pass a lower `level`, so that the kernel lets insecure peers
    /// connect. Throws `.noAdapter`; `.system`, with `.addressInUse` if another program serves the PSM.
    package init(
        on adapter: BluetoothAddress, psm: UInt16? = nil, largestArriving: Int = L2CAPChannel.usualLargestArriving,
        level: Int = ChannelSecurity.demandedLevel
    ) throws(BluetoothError) {
        self.adapter = try LocalAdapter.at(adapter).address
        let descriptor = try KernelCalls.makeSocket()
        socket = ListeningSocket(owning: descriptor)
        try KernelCalls.bind(descriptor, to: adapter, psm: psm ?? 0)
        try KernelCalls.demand(UInt8(level), of: descriptor)
        try KernelCalls.setLargestArriving(largestArriving, of: descriptor)
        try KernelCalls.listen(descriptor)
        self.psm = try KernelCalls.psm(of: descriptor)
    }

    /// The descriptor to poll before `acceptWaiting`, nil once the listener is closed. This object owns it.
    package var fileDescriptor: CInt? { socket.fileDescriptor }

    /// Accepts a waiting channel; returns nil if none waits. Throws `.insecure` or `.tooNarrow` for a refused peer, and the
    /// caller can then call again. Throws `.ended` once the listener is closed; `.system`, for example if the process has no
    /// descriptor left.
    package func acceptWaiting() throws(BluetoothError) -> L2CAPChannel? {
        while true {
            guard let (accepted, peer) = try takeConnection() else { return nil }
            do throws(BluetoothError) {
                return try L2CAPChannel(accepted, to: peer, over: adapter)
            } catch {
                accepted.close()
                // The peer has already closed this channel: look for the next one.
                guard error == .ended else { throw error }
            }
        }
    }

    /// Waits for the next channel. Throws the errors of `acceptWaiting`; `.ended` also if the task is cancelled.
    package func next() async throws(BluetoothError) -> L2CAPChannel {
        while !Task.isCancelled {
            if let channel = try acceptWaiting() { return channel }
            do throws(WormholeError) {
                try await socket.waitForConnection()
            } catch {
                throw BluetoothError(error)
            }
        }
        throw .ended
    }

    /// Waits for the next channel. Throws `.closed` once the listener is closed or the task is cancelled. Throws `.transport`
    /// for an error of the system or a refused peer, and the caller can then call again.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        do throws(BluetoothError) {
            return try await next().transport
        } catch {
            throw WormholeError(error)
        }
    }

    /// Stops listening. Accepted channels stay open.
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
