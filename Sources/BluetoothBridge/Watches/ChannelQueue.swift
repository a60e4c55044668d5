import HostSystem
import Wormhole

/// Channels that were opened and not taken yet.
final class ChannelQueue: Sendable {
    private enum State {
        case open([any DatagramTransport])
        case closed
    }

    private let state = WaitableState(State.open([]))

    /// Puts a channel behind the others. One that comes after `close()` is closed.
    func put(_ channel: any DatagramTransport) {
        let isTaken = state.change { state in
            guard case .open(let channels) = state else { return false }
            state = .open(channels + [channel])
            return true
        }
        if !isTaken { channel.close() }
    }

    /// Waits for the next channel.
    ///
    /// - Throws: `.closed` after `close()`, and where the task is cancelled.
    func next() async throws(WormholeError) -> any DatagramTransport {
        let channel: (any DatagramTransport)? = try await state.wait { state throws(WormholeError) in
            guard case .open(var channels) = state else { throw .closed }
            guard !channels.isEmpty else { return nil }
            let first = channels.removeFirst()
            state = .open(channels)
            return first
        }
        guard let channel else { throw .closed }
        return channel
    }

    /// Closes the channels that nobody has taken; there will be no others.
    func close() {
        let last = state.change { state in
            defer { state = .closed }
            return state
        }
        guard case .open(let channels) = last else { return }
        for channel in channels { channel.close() }
    }
}
