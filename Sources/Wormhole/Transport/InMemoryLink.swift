import Synchronization

/// A place in memory where one side listens and others connect, and that can be cut and mended: the air of a test.
public final class InMemoryLink: Sendable {
    private enum Air: Sendable {
        /// Connections succeed.
        case clear
        /// Connections are refused.
        case cut
        /// Connections are refused, and nobody listens any more.
        case closed
    }

    private struct State {
        var air = Air.clear
        var arrived: [InMemoryTransport] = []
        var channels: [(InMemoryTransport, InMemoryTransport)] = []
        var changes: UInt64 = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let largestDatagram: Int
    private let capacity: Int
    private let state = Mutex(State())

    /// A place where nobody is connected yet.
    ///
    /// - Parameters:
    ///   - largestDatagram: the most bytes of one datagram, at least `LinkLimits.smallestSDU`.
    ///   - capacity: how many datagrams a direction holds before its sender waits.
    public init(largestDatagram: Int = 512, capacity: Int = 16) {
        self.largestDatagram = largestDatagram
        self.capacity = capacity
    }

    /// The listening side.
    public var listener: any TransportListener { Listener(link: self) }

    /// The connecting side, for any number of peers.
    public var connector: any TransportConnector { Connector(link: self) }

    /// Closes every channel, and refuses new ones until `mend()`.
    public func cut() {
        let channels = change { state -> [(InMemoryTransport, InMemoryTransport)] in
            if case .clear = state.air { state.air = .cut }
            state.arrived = []
            defer { state.channels = [] }
            return state.channels
        }
        for (near, far) in channels {
            near.close()
            far.close()
        }
    }

    /// Lets peers connect again.
    public func mend() {
        change { state in
            if case .cut = state.air { state.air = .clear }
        }
    }

    /// Lets every present channel swallow what is sent, with neither end being told.
    public func silence() {
        let channels = state.withLock { $0.channels }
        for (near, _) in channels { near.silence() }
    }

    @discardableResult
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, waiters) = state.withLock { state in
            let value = body(&state)
            state.changes += 1
            defer { state.waiters = [] }
            return (value, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return value
    }

    private func open() throws(WormholeError) -> InMemoryTransport {
        let (near, far) = InMemoryTransport.pair(largestDatagram: largestDatagram, capacity: capacity)
        let isOpen = change { state in
            guard case .clear = state.air else { return false }
            state.arrived.append(far)
            state.channels.append((near, far))
            return true
        }
        guard isOpen else { throw .nobodyListening(path: "memory") }
        return near
    }

    private func accept() async throws(WormholeError) -> InMemoryTransport {
        while true {
            guard !Task.isCancelled else { throw .closed }
            let (arrived, seen) = try state.withLock { state throws(WormholeError) in
                if case .closed = state.air { throw .closed }
                return (state.arrived.isEmpty ? nil : state.arrived.removeFirst(), state.changes)
            }
            if let arrived { return arrived }
            await waitForChange(since: seen)
        }
    }

    private func waitForChange(since seen: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasMissedIt = state.withLock { state in
                    guard state.changes == seen, !Task.isCancelled else { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if hasMissedIt { continuation.resume() }
            }
        } onCancel: {
            change { _ in }
        }
    }

    private func stopListening() {
        change { state in state.air = .closed }
    }

    /// Lets a new listener take the place of one that was closed.
    private func startListening() {
        change { state in
            if case .closed = state.air { state.air = .clear }
        }
    }

    private final class Listener: TransportListener {
        private let link: InMemoryLink

        init(link: InMemoryLink) {
            self.link = link
            link.startListening()
        }

        func accept() async throws(WormholeError) -> any DatagramTransport { try await link.accept() }
        func close() { link.stopListening() }
    }

    private struct Connector: TransportConnector {
        let link: InMemoryLink
        func connect() async throws(WormholeError) -> any DatagramTransport { try link.open() }
    }
}
