import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// A channel that another task uses, with a wait for its end and the delay before the next channel.
final class EndingTransport: DatagramTransport {
    private enum State {
        case open
        case ended
    }

    private let transport: any DatagramTransport
    private let state = WaitableState(State.open)
    private let delayNow: Mutex<ReconnectDelay>

    /// - Parameter delay: as the watch's earlier channels have left it.
    init(_ transport: any DatagramTransport, delay: ReconnectDelay = ReconnectDelay()) {
        self.transport = transport
        delayNow = Mutex(delay)
    }

    /// The delay after the datagrams so far.
    var delay: ReconnectDelay { delayNow.withLock { $0 } }

    var peer: TransportPeer { transport.peer }

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

    /// Returns when either side has closed the channel, and when the task is cancelled.
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
