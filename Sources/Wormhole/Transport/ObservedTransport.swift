import HostSystem

/// Wraps a channel, and reports each of its datagrams to a closure. `end()` waits until the channel has ended.
package final class ObservedTransport: DatagramTransport {
    package enum Direction: Sendable {
        case sent
        case received
    }

    private let transport: any DatagramTransport
    private let carried: @Sendable (_ datagram: [UInt8], _ direction: Direction) -> Void
    private let isEnded = WaitableState(false)

    /// - Parameter carried: called with each datagram after it was sent or received, by the task that sent or received it.
    package init(
        _ transport: any DatagramTransport,
        carried: @escaping @Sendable (_ datagram: [UInt8], _ direction: Direction) -> Void = { _, _ in }
    ) {
        self.transport = transport
        self.carried = carried
    }

    package var peer: TransportPeer { transport.peer }

    package var largestDatagram: Int { transport.largestDatagram }

    package var arrivals: (any TaskExecutor)? { transport.arrivals }

    nonisolated(nonsending) package func send(_ datagram: [UInt8]) async throws(WormholeError) {
        do throws(WormholeError) { try await transport.send(datagram) } catch { throw noted(error) }
        carried(datagram, .sent)
    }

    package func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        do throws(WormholeError) {
            guard try transport.sendAtOnce(datagram) else { return false }
        } catch {
            throw noted(error)
        }
        carried(datagram, .sent)
        return true
    }

    nonisolated(nonsending) package func receive() async throws(WormholeError) -> [UInt8] {
        do throws(WormholeError) {
            let datagram = try await transport.receive()
            carried(datagram, .received)
            return datagram
        } catch {
            throw noted(error)
        }
    }

    package func receiveAtOnce() throws(WormholeError) -> [UInt8]? {
        do throws(WormholeError) {
            guard let datagram = try transport.receiveAtOnce() else { return nil }
            carried(datagram, .received)
            return datagram
        } catch {
            throw noted(error)
        }
    }

    /// Returns the error unchanged. Marks the channel as ended, unless the error is `.datagramTooLong`.
    private func noted(_ error: WormholeError) -> WormholeError {
        if case .datagramTooLong = error { return error }
        finish()
        return error
    }

    package func close() {
        transport.close()
        finish()
    }

    package func end() async {
        _ = await isEnded.wait { isEnded in isEnded ? true : nil }
    }

    private func finish() { isEnded.change { $0 = true } }
}
