import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// A channel that somebody else uses, and whose end can be waited for. It tells how long to wait before the next one.
final class EndingTransport: DatagramTransport {
    private enum State {
        case open
        case ended
    }

    private let transport: any DatagramTransport
    private let state = WaitableState(State.open)
    private let delayNow: Mutex<ReconnectDelay>

    /// A channel to a watch, with the delay that the watch's channels before it have left.
    init(_ transport: any DatagramTransport, delay: ReconnectDelay = ReconnectDelay()) {
        self.transport = transport
        delayNow = Mutex(delay)
    }

    /// The delay after what the channel has carried so far.
    var delay: ReconnectDelay { delayNow.withLock { $0 } }

    var largestDatagram: Int { transport.largestDatagram }

    func send(_ datagram: [UInt8]) async throws(WormholeError) {
        do throws(WormholeError) {
            try await transport.send(datagram)
            note(datagram)
        } catch {
            if case .datagramTooLong = error { throw error }
            finish()
            throw error
        }
    }

    func receive() async throws(WormholeError) -> [UInt8] {
        do throws(WormholeError) {
            let datagram = try await transport.receive()
            note(datagram)
            return datagram
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

    /// Returns when this side has closed the channel, when it has found that the other side has, and when the task is
    /// cancelled.
    func end() async {
        _ = await state.wait { state in
            switch state {
            case .open: Void?.none
            case .ended: ()
            }
        }
    }

    private func note(_ datagram: [UInt8]) {
        delayNow.withLock { $0.carried(datagram.span) }
    }

    private func finish() {
        state.change { $0 = .ended }
    }
}
