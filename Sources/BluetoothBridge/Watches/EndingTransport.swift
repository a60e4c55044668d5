import HostSystem
import Wormhole

/// A channel that another task uses, with a wait for its end.
final class EndingTransport: DatagramTransport {
    private enum State {
        case open
        case ended
    }

    private let transport: any DatagramTransport
    private let state = WaitableState(State.open)

    init(_ transport: any DatagramTransport) {
        self.transport = transport
    }

    var peer: TransportPeer { transport.peer }

    var largestDatagram: Int { transport.largestDatagram }

    var arrivals: (any TaskExecutor)? { transport.arrivals }

    nonisolated(nonsending) func send(_ datagram: [UInt8]) async throws(WormholeError) {
        do throws(WormholeError) {
            try await transport.send(datagram)
        } catch {
            throw noted(error)
        }
    }

    func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        do throws(WormholeError) {
            return try transport.sendAtOnce(datagram)
        } catch {
            throw noted(error)
        }
    }

    nonisolated(nonsending) func receive() async throws(WormholeError) -> [UInt8] {
        do throws(WormholeError) {
            return try await transport.receive()
        } catch {
            throw noted(error)
        }
    }

    func receiveAtOnce() throws(WormholeError) -> [UInt8]? {
        do throws(WormholeError) {
            return try transport.receiveAtOnce()
        } catch {
            throw noted(error)
        }
    }

    /// The error of a call; the channel ends with each but that of a datagram which is too long.
    private func noted(_ error: WormholeError) -> WormholeError {
        if case .datagramTooLong = error { return error }
        finish()
        return error
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

    private func finish() {
        state.change { $0 = .ended }
    }
}
