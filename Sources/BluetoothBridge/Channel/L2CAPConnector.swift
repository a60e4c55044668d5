import SystemPackage
import WatchLink
import Wormhole

/// The phone's side of an L2CAP LE channel.
///
/// It sends and receives nothing before the kernel reports security level 4. Only the listening side demands that level. On the
/// connecting side Linux does not enforce it: on a new link, data went out in plaintext. A demand before the connection also
/// triggers a bug of the kernel (6.1) if the peer has lost its keys.
package struct L2CAPConnector: TransportConnector {
    private let adapter: BluetoothAddress
    private let peer: BluetoothPeer
    private let psm: UInt16
    private let largestArriving: Int
    private let timeLimit: Microseconds
    private let clock = SystemClock()

    /// - Parameters:
    ///   - largestArriving: the most bytes of one datagram to receive, from `LinkLimits.smallestSDU` to 65,535.
    ///   - timeLimit: the longest duration of an attempt. A bonded watch nearby answers within a second. For an absent one the
    ///     kernel tries for 41 seconds (measured).
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

    /// Throws `.transport` with the reason that `open()` throws, or `.closed` if the task was cancelled.
    package func connect() async throws(WormholeError) -> any DatagramTransport {
        do throws(BluetoothError) {
            return try await open().transport
        } catch {
            throw WormholeError(error)
        }
    }

    /// Opens a channel. Throws `.outOfReach` if the time is over; `.notListening`; `.cutOff`; `.insecure`; `.bondLost`;
    /// `.tooNarrow`; `.adapterDown`; `.noAdapter`; `.ended` if the task was cancelled; `.system`.
    package func open() async throws(BluetoothError) -> L2CAPChannel {
        let deadline = clock.now + timeLimit
        let local = try LocalAdapter.at(adapter)
        guard local.isOn else { throw adapterDown }
        // On an existing link bluetoothd has opened its bearers already. Requests would use the identifiers of these
        // bearers again.
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

    /// How many L2CAP identifiers `passIdentifiers` uses up. The watch's side uses one for each bearer of bluetoothd, at
    /// most four (`[GATT] Channels` in main.conf), and one to request other connection parameters. It also uses one for each
    /// datagram that the watch receives before those requests.
    private static let passedIdentifiers = 24

    /// A PSM that no program serves: it is reserved, and programs cannot choose it (Bluetooth Core Specification 5.4, volume 3,
    /// part A, section 4.22).
    private static let unservedPSM: UInt16 = 0x7F

    /// Opens the link with requests that the peer will refuse, which use up identifiers.
    ///
    /// An identifier, 1 to 255, matches an L2CAP response to its request; each side counts its own, from 1. Linux keeps the
    /// identifier of the request that opened a channel, and looks up responses by identifier alone (`l2cap_le_connect_rsp` in
    /// net/bluetooth/l2cap_core.c, 6.1.192 and earlier). On the other side, bluetoothd opens Enhanced ATT bearers just after the
    /// link is up. If bluetoothd's request has the identifier of our channel, the response to it goes to our channel. Then no
    /// datagram of the watch arrives any more (measured). So the connecting side first uses up the identifiers that bluetoothd
    /// will use. It does so only on a new link. On an existing link it would use the identifiers of bluetoothd's bearers again.
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

    /// Raises the security level of an encrypted link to the level of its keys. A link in plaintext stays as it is.
    ///
    /// On the side that opened the link, the kernel does not report the level of the keys. It reports the level that was
    /// demanded for the encryption, by default 2. If this side now demands level 4, the kernel encrypts the link again, with
    /// the same keys if they are good enough. If they are not, the kernel pairs again. The level then stays the same unless the
    /// user confirms the pairing.
    private func strengthen(_ socket: DatagramSocket, until deadline: WatchLink.Instant) async throws(BluetoothError) {
        let before = try socket.withOpenDescriptor { number throws(BluetoothError) in
            let security = try KernelCalls.security(of: number)
            guard security.isEncrypted, !security.isSufficient else { return ChannelSecurity?.none }
            try KernelCalls.demand(UInt8(ChannelSecurity.demandedLevel), of: number)
            return security
        }
        guard let before else { return }
        // The socket has no room before the link is encrypted again.
        try await waitForRoom(in: socket, until: deadline)
        let after = try? socket.withOpenDescriptor { number throws(BluetoothError) in
            try KernelCalls.security(of: number)
        }
        // If the channel has ended meanwhile, the kernel reports the demanded level.
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
