import HostSystem

/// A first-in, first-out queue of accepted channels and of failures, for a listener whose `accept()` takes them from here.
package final class ChannelQueue: Sendable {
    package typealias Arrival = Result<any DatagramTransport, WormholeError>

    private enum State {
        case open([Arrival])
        case closed
    }

    private let state = WaitableState(State.open([]))

    package init() {}

    /// Adds a channel or a failure. After `close()`, closes the channel or drops the failure instead.
    package func put(_ arrival: Arrival) {
        let isOpen = state.change { state in
            guard case .open(let arrivals) = state else { return false }
            state = .open(arrivals + [arrival])
            return true
        }
        if !isOpen, case .success(let channel) = arrival { channel.close() }
    }

    /// Waits until the queue is not empty, and takes its first channel or failure.
    /// - Throws: the failure that was first; `.closed` after `close()` or if the task is cancelled.
    package func next() async throws(WormholeError) -> any DatagramTransport {
        let arrival: Arrival? = try await state.wait { state throws(WormholeError) in
            guard case .open(var arrivals) = state else { throw .closed }
            guard !arrivals.isEmpty else { return nil }
            let first = arrivals.removeFirst()
            state = .open(arrivals)
            return first
        }
        guard let arrival else { throw .closed }
        return try arrival.get()
    }

    package func close() {
        let last = state.change { state in
            defer { state = .closed }
            return state
        }
        guard case .open(let arrivals) = last else { return }
        for case .success(let channel) in arrivals { channel.close() }
    }
}
