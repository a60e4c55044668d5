import Synchronization

/// One direction of a channel in memory.
final class InMemoryLane: Sendable {
    private enum Phase {
        /// Datagrams pass.
        case open
        /// Datagrams are taken and lost, and the receiver is told nothing.
        case silent
        /// The sender has closed; what waits can still be received.
        case finished
        /// The receiver has closed.
        case abandoned
    }

    private struct State {
        var phase = Phase.open
        var datagrams: [[UInt8]] = []
        var changes: UInt64 = 0
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// Counts a change; the tasks that wait for one are to go on.
        mutating func change() -> [CheckedContinuation<Void, Never>] {
            changes += 1
            defer { waiters = [] }
            return waiters
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// A direction that holds `capacity` datagrams.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How often something has changed: read before trying, given to `waitForChange` after having failed.
    var changes: UInt64 { state.withLock { $0.changes } }

    /// Whether there was room for the datagram.
    func put(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        let waiters: [CheckedContinuation<Void, Never>]? = try state.withLock { state throws(WormholeError) in
            switch state.phase {
            case .open:
                guard state.datagrams.count < capacity else { return nil }
                state.datagrams.append(datagram)
                return state.change()
            case .silent: return []
            case .finished, .abandoned: throw .closed
            }
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume() }
        return true
    }

    /// The next datagram, or nil where none waits.
    func take() throws(WormholeError) -> [UInt8]? {
        let (datagram, waiters) = try state.withLock {
            state throws(WormholeError) -> ([UInt8]?, [CheckedContinuation<Void, Never>]) in
            switch state.phase {
            case .abandoned: throw .closed
            case .finished where state.datagrams.isEmpty: throw .closed
            case .open, .silent, .finished:
                guard !state.datagrams.isEmpty else { return (nil, []) }
                return (state.datagrams.removeFirst(), state.change())
            }
        }
        for waiter in waiters { waiter.resume() }
        return datagram
    }

    /// The sender closes. The receiver of a silent lane does not learn of it.
    func finish() {
        change { state in
            if case .open = state.phase { state.phase = .finished }
        }
    }

    /// The receiver closes.
    func abandon() {
        change { state in
            state.phase = .abandoned
            state.datagrams = []
        }
    }

    /// From now on what is sent is lost.
    func silence() {
        change { state in
            guard case .open = state.phase else { return }
            state.phase = .silent
            state.datagrams = []
        }
    }

    /// Returns once something has changed since `seen`, or the task is cancelled.
    func waitForChange(since seen: UInt64) async {
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

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            return state.change()
        }
        for waiter in waiters { waiter.resume() }
    }
}
