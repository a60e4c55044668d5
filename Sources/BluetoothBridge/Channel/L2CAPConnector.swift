import SystemPackage
import WatchLink
import Wormhole

/// Opens an L2CAP LE channel to a watch: the phone's side.
///
/// Nothing is sent and nothing received before the kernel reports security level 4. The level is demanded by the other
/// side alone: Linux does not enforce it on the side that connects (on a fresh link data went out in plaintext), and
/// where the peer has lost its keys a demand on this side runs into a bug of the kernel (6.1).
public struct L2CAPConnector: TransportConnector {
    /// How long connecting may take unless another time is given: pairing aside, a bonded watch nearby answers in less
    /// than one, and one that is absent keeps the kernel trying for 41 seconds (measured).
    public static let usualTimeLimit = Microseconds.seconds(5)

    /// The address of this machine's adapter.
    public let adapter: BluetoothAddress
    /// The watch.
    public let peer: BluetoothPeer
    /// The number that the watch serves.
    public let psm: UInt16
    private let largestArriving: Int
    private let timeLimit: Microseconds
    private let clock: any LinkClock

    /// A connector to `peer`.
    ///
    /// - Parameters:
    ///   - psm: the number that the watch serves, as its GATT service reports it.
    ///   - adapter: the address of the adapter to use.
    ///   - largestArriving: the most bytes of one datagram that is received, at least `LinkLimits.smallestSDU`, at most
    ///     65,535.
    ///   - timeLimit: how long an attempt may take.
    ///   - clock: what the time limit is measured with.
    public init(
        to peer: BluetoothPeer, psm: UInt16, from adapter: BluetoothAddress,
        largestArriving: Int = L2CAPChannel.usualLargestArriving,
        timeLimit: Microseconds = L2CAPConnector.usualTimeLimit, clock: any LinkClock = SystemClock()
    ) {
        self.adapter = adapter
        self.peer = peer
        self.psm = psm
        self.largestArriving = largestArriving
        self.timeLimit = timeLimit
        self.clock = clock
    }

    /// Opens a channel.
    ///
    /// - Throws: `.transport` with the reason as `open` has it; `.closed` when the task was cancelled.
    public func connect() async throws(WormholeError) -> any DatagramTransport {
        do throws(BluetoothError) {
            return try await open()
        } catch {
            throw WormholeError(error)
        }
    }

    /// Opens a channel, with failures as this module reports them.
    ///
    /// - Throws: `.outOfReach` where the time has passed; `.notListening`; `.cutOff`; `.insecure`; `.bondLost`;
    ///   `.tooNarrow`;
    ///   `.adapterDown`; `.noAdapter`; `.ended` when the task was cancelled; `.system`.
    public func open() async throws(BluetoothError) -> L2CAPChannel {
        let deadline = clock.now + timeLimit
        let local = try LocalAdapter.at(adapter)
        guard local.power == .on else { throw adapterDown }
        // On a link that stands bluetoothd has its bearers, and the identifiers of those are not to come round again.
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
            // What is on its way is given up with the socket.
            socket.close()
            throw error
        }
    }

    /// Makes the link, and gets the identifiers out of the way that would be used twice.
    private func passIdentifiers(until deadline: WatchLink.Instant) async throws(BluetoothError) {
        let identifiers = try LinkIdentifiers(to: peer, from: adapter)
        defer { identifiers.end() }
        try await wait(until: deadline) { () throws(WormholeError) in try await identifiers.areUsed() }
    }

    /// Returns once the channel stands.
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

    /// Brings an encrypted link to the level that its keys have.
    ///
    /// On the side that has made the link the kernel reports the level that was asked for when it was encrypted, which
    /// is 2 where nobody has asked for more, and not the level of the keys. Asked for 4 now it encrypts the link anew,
    /// with the same keys where they are good enough; where they are not, it pairs anew, and without a person who
    /// confirms that the level stays what it was. A link in plaintext is left as it is.
    private func strengthen(_ socket: DatagramSocket, until deadline: WatchLink.Instant) async throws(BluetoothError) {
        let before = try socket.withOpenDescriptor { number throws(BluetoothError) in
            let security = try KernelCalls.security(of: number)
            guard security.isEncrypted, !security.isSufficient else { return ChannelSecurity?.none }
            try KernelCalls.demand(UInt8(ChannelSecurity.demandedLevel), of: number)
            return security
        }
        guard let before else { return }
        // The socket has no room before the link is encrypted anew.
        try await waitForRoom(in: socket, until: deadline)
        let after = try? socket.withOpenDescriptor { number throws(BluetoothError) in
            try KernelCalls.security(of: number)
        }
        // Of a channel that has ended meanwhile the kernel tells what was asked for.
        if after?.isSufficient != true { try before.demandSufficient(of: peer.address) }
    }

    private func waitForRoom(in socket: DatagramSocket, until deadline: WatchLink.Instant) async throws(BluetoothError)
    {
        try await wait(until: deadline) { () throws(WormholeError) in try await socket.wait(until: .writable) }
    }

    /// Returns when `event` does, and at the deadline at the latest.
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

    /// What the reason that connect(2) or the socket gives means.
    private func failure(_ reason: Errno) -> BluetoothError {
        let isOff = (try? LocalAdapter.at(adapter))?.power == .off
        return isOff ? adapterDown : BluetoothError(connectingTo: peer.address, psm: psm, reason)
    }
}
