import SystemPackage
import WatchLink
import Wormhole

/// Opens L2CAP LE channels from a phone to its watch.
///
/// A channel carries no data before the kernel reports security level 4. The connector does not demand this level when it
/// connects; only the listening side does. Linux does not enforce the demand of a connecting side: on a new link, data went out
/// in plaintext. Such a demand also triggers a kernel bug (6.1) if the peer has lost its keys.
package struct L2CAPConnector: TransportConnector {
    private let adapter: BluetoothAddress
    private let peer: BluetoothPeer
    private let psm: UInt16
    private let largestArriving: Int
    private let timeLimit: Microseconds
    private let clock = SystemClock()

    /// - Parameters:
    ///   - largestArriving: the maximum size of a received datagram in bytes, from `LinkLimits.smallestSDU` to 65,535.
    ///   - timeLimit: the maximum duration of an attempt. A bonded watch nearby answers within a second. Without this limit,
    ///     the kernel tries to reach an absent watch for 41 seconds (measured).
    package init(
        to peer: BluetoothPeer, psm: UInt16, from adapter: BluetoothAddress,
        largestArriving: Int = L2CAPChannel.usualLargestArriving,
        timeLimit: Microseconds = .seconds(5)
    ) {
        self.adapter = adapter
        self.peer = peer
        self.psm = psm
        self.largestArriving = largestArriving
        self.timeLimit = timeLimit
    }

    /// Opens a channel. Throws `.closed` if `open()` throws `.ended`; `.transport` with the text of any other error.
    package func connect() async throws(WormholeError) -> any DatagramTransport {
        do throws(BluetoothError) {
            return try await open().transport
        } catch {
            throw WormholeError(error)
        }
    }

    /// Opens a channel. Throws `.outOfReach`, also when the time limit is over; `.notListening`; `.cutOff`; `.insecure`;
    /// `.bondLost`; `.tooNarrow`; `.adapterDown`; `.noAdapter`; `.system`; `.ended` if the task was cancelled or the channel
    /// has already ended.
    package func open() async throws(BluetoothError) -> L2CAPChannel {
        let deadline = clock.now + timeLimit
        let local = try LocalAdapter.at(adapter)
        guard local.isOn else { throw adapterDown }
        // On an existing link, bluetoothd's bearers already have the identifiers that `passIdentifiers` would use.
        if !KernelCalls.isLinked(local, to: peer.address) { try await passIdentifiers(until: deadline) }
        let descriptor = try KernelCalls.makeSocket()
        let socket = DatagramSocket(owning: descriptor)
        do throws(BluetoothError) {
            try KernelCalls.bind(descriptor, to: adapter, psm: 0)
            try KernelCalls.setLargestArriving(largestArriving, of: descriptor)
            switch KernelCalls.connect(descriptor, to: peer, psm: psm) {
            case nil: break
            case .nowInProgress: try await waitUntilConnected(socket, until: deadline)
            case let reason?: throw failure(reason)
            }
            try await strengthen(socket, until: deadline)
            return try L2CAPChannel(socket, to: peer, over: adapter)
        } catch {
            // Closing the socket cancels an attempt that is still in progress.
            socket.close()
            throw error
        }
    }

    /// The number of L2CAP identifiers that `passIdentifiers` uses up. On a new link, the watch's side uses fewer. It opens at
    /// most four Enhanced ATT bearers (`[GATT] Channels` in main.conf), and requests other connection parameters. Each of these
    /// requests uses an identifier. Each datagram that the watch receives uses an identifier too.
    private static let passedIdentifiers = 24

    /// A PSM that no program serves, because it is reserved (Bluetooth Core Specification 5.4, volume 3, part A, section 4.22).
    private static let unservedPSM: UInt16 = 0x7F

    /// Opens the link by sending channel requests. The peer refuses all of them. These requests use up the low L2CAP
    /// identifiers. The next request, which opens the channel, then has a higher identifier than the peer's requests.
    ///
    /// An identifier, 1 to 255, matches an L2CAP response to its request. Each side numbers its requests from 1. Linux keeps
    /// the identifier of the request that opened a channel, and finds the channel of a response by its identifier alone
    /// (`l2cap_le_connect_rsp` in net/bluetooth/l2cap_core.c, 6.1.192 and earlier).
    ///
    /// On the watch, bluetoothd opens Enhanced ATT bearers just after the link is up. If a request of bluetoothd has the
    /// identifier with which the phone opened its channel, the watch's kernel applies the response to the phone's channel.
    /// After that, no datagram from the watch arrives (measured).
    private func passIdentifiers(until deadline: WatchLink.Instant) async throws(BluetoothError) {
        var requests: [DatagramSocket] = []
        // Closing cancels the unanswered requests.
        defer { for request in requests { request.close() } }
        // Sends all at once, because each takes an exchange over the radio link. A request that fails at once is
        // skipped.
        for _ in 0..<L2CAPConnector.passedIdentifiers {
            let descriptor = try KernelCalls.makeSocket()
            let socket = DatagramSocket(owning: descriptor)
            try KernelCalls.bind(descriptor, to: adapter, psm: 0)
            if case .nowInProgress = KernelCalls.connect(descriptor, to: peer, psm: L2CAPConnector.unservedPSM) {
                requests.append(socket)
            }
        }
        try await wait(until: deadline) { [requests] () throws(WormholeError) in
            for request in requests { try await request.wait(until: .writable) }
        }
    }

    private func waitUntilConnected(_ socket: DatagramSocket, until deadline: WatchLink.Instant)
        async throws(BluetoothError)
    {
        try await waitForRoom(in: socket, until: deadline)
        let isConnected = socket.isWritable
        let reason = try socket.withOpenDescriptor { number throws(BluetoothError) in
            try KernelCalls.pendingError(of: number)
        }
        if let reason { throw failure(reason) }
        guard isConnected else { throw .outOfReach(peer.address) }
    }

    /// Demands security level 4 of an encrypted link, so that the kernel reports the level of the keys. Leaves an unencrypted
    /// link as it is. Throws `.insecure` if the level of an encrypted link stays below 4.
    ///
    /// On the side that opened the link, the kernel at first reports the level that was demanded for the encryption, not the
    /// level of the keys. The demanded level is 2 by default. After the demand for level 4, the kernel encrypts the link again
    /// with the same keys, if these are good enough. If they are not, the kernel pairs again, and the level rises only if the
    /// user confirms the pairing.
    private func strengthen(_ socket: DatagramSocket, until deadline: WatchLink.Instant) async throws(BluetoothError) {
        let before = try socket.withOpenDescriptor { number throws(BluetoothError) in
            let security = try KernelCalls.security(of: number)
            guard security.isEncrypted, !security.isSufficient else { return ChannelSecurity?.none }
            try KernelCalls.demand(UInt8(ChannelSecurity.demandedLevel), of: number)
            return security
        }
        guard let before else { return }
        // The socket becomes writable when the link is encrypted again.
        try await waitForRoom(in: socket, until: deadline)
        let after = try? socket.withOpenDescriptor { number throws(BluetoothError) in
            try KernelCalls.security(of: number)
        }
        // The error has the level from before the demand. If the channel has ended meanwhile, the kernel reports the demanded
        // level.
        if after?.isSufficient != true { try before.demandSufficient(of: peer.address) }
    }

    private func waitForRoom(in socket: DatagramSocket, until deadline: WatchLink.Instant) async throws(BluetoothError)
    {
        try await wait(until: deadline) { () throws(WormholeError) in try await socket.wait(until: .writable) }
    }

    /// Returns when `event` returns, or at the deadline.
    private func wait(
        until deadline: WatchLink.Instant, _ event: @escaping @Sendable () async throws(WormholeError) -> Void
    ) async throws(BluetoothError) {
        let failure = await withTaskGroup(of: WormholeError?.self) { group in
            group.addTask {
                do throws(WormholeError) { try await event() } catch { return error }
                return nil
            }
            group.addTask {
                try? await clock.sleep(until: deadline)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let failure { throw BluetoothError(failure) }
        guard !Task.isCancelled else { throw .ended }
    }

    private var adapterDown: BluetoothError {
        .adapterDown(name: (try? LocalAdapter.at(adapter).name) ?? adapter.description)
    }

    private func failure(_ reason: Errno) -> BluetoothError {
        let isOff = (try? LocalAdapter.at(adapter))?.isOn == false
        return isOff ? adapterDown : BluetoothError(connectingTo: peer.address, psm: psm, reason)
    }
}
