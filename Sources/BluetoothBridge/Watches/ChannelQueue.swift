import Synchronization
import Wormhole

/// Channels that were opened and wait for whoever serves them. One task at a time takes.
final class ChannelQueue: Sendable {
    private enum State {
        case open([any DatagramTransport], waiter: CheckedContinuation<Void, Never>?)
        case closed
    }

    private let state = Mutex(State.open([], waiter: nil))

    /// Puts a channel behind the others. One that comes after `close()` is closed.
    func put(_ channel: any DatagramTransport) {
        let outcome: (isTaken: Bool, waiter: CheckedContinuation<Void, Never>?) = state.withLock { state in
            guard case .open(let channels, let waiter) = state else { return (false, nil) }
            state = .open(channels + [channel], waiter: nil)
            return (true, waiter)
        }
        if !outcome.isTaken { channel.close() }
        outcome.waiter?.resume()
    }

    /// Waits for the next channel.
    ///
    /// - Throws: `.closed` after `close()`, and where the task is cancelled.
    func next() async throws(WormholeError) -> any DatagramTransport {
        while true {
            let channel: (any DatagramTransport)? = try state.withLock { state throws(WormholeError) in
                guard !Task.isCancelled, case .open(var channels, let waiter) = state else { throw .closed }
                guard !channels.isEmpty else { return nil }
                let first = channels.removeFirst()
                state = .open(channels, waiter: waiter)
                return first
            }
            if let channel { return channel }
            await wait()
        }
    }

    /// Closes the channels that nobody has taken; there will be no others.
    func close() {
        let left: (channels: [any DatagramTransport], waiter: CheckedContinuation<Void, Never>?) = state.withLock {
            state in
            defer { state = .closed }
            switch state {
            case .open(let channels, let waiter): return (channels, waiter)
            case .closed: return ([], nil)
            }
        }
        for channel in left.channels { channel.close() }
        left.waiter?.resume()
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    guard !Task.isCancelled, case .open(let channels, nil) = state, channels.isEmpty else {
                        return true
                    }
                    state = .open([], waiter: continuation)
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
                guard case .open(let channels, let waiter) = state else { return nil }
                state = .open(channels, waiter: nil)
                return waiter
            }
            waiter?.resume()
        }
    }
}
