import Synchronization
import Wormhole

/// A channel that somebody else uses, and whose end can be waited for.
final class EndingTransport: DatagramTransport {
    private enum State {
        case open([CheckedContinuation<Void, Never>])
        case ended
    }

    private let transport: any DatagramTransport
    private let state = Mutex(State.open([]))

    init(_ transport: any DatagramTransport) { self.transport = transport }

    var largestDatagram: Int { transport.largestDatagram }

    func send(_ datagram: [UInt8]) async throws(WormholeError) {
        do throws(WormholeError) {
            try await transport.send(datagram)
        } catch {
            if case .datagramTooLong = error { throw error }
            finish()
            throw error
        }
    }

    func receive() async throws(WormholeError) -> [UInt8] {
        do throws(WormholeError) {
            return try await transport.receive()
        } catch {
            if case .datagramTooLong = error { throw error }
            finish()
            throw error
        }
    }

    func close() {
        transport.close()
        finish()
    }

    /// Returns when this side has closed the channel, when it has found that the other side has, and when the task is cancelled.
    func end() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isEnded = state.withLock { state in
                    guard !Task.isCancelled, case .open(let waiters) = state else { return true }
                    state = .open(waiters + [continuation])
                    return false
                }
                if isEnded { continuation.resume() }
            }
        } onCancel: {
            finish()
        }
    }

    private func finish() {
        let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
            defer { state = .ended }
            switch state {
            case .open(let waiters): return waiters
            case .ended: return []
            }
        }
        for waiter in waiters { waiter.resume() }
    }
}
