import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// The phones that connect to this machine as their watch, as a listener: for an endpoint in the watch's role, whose phone
/// opens the channel over Bluetooth.
///
/// A device that has tried to pair without comparing digits gets no channel, and a phone that opens channels without a word
/// gets the next one after a pause, longer each time. Each channel is asked for the connection parameters that
/// `ConnectionParameterPolicy` decides on.
public final class PhoneListener: TransportListener {
    private struct State {
        var throttle = ChannelThrottle()
        /// The number of the newest channel.
        var newest: UInt64 = 0
    }

    private let source: any PhoneChannelSource
    private let phone: Published<BluetoothPeer?>
    private let banned: BannedPeers
    private let clock: any LinkClock
    private let note: @Sendable (BluetoothError) -> Void
    private let parameters: ParameterRequests
    private let state = Mutex(State())

    /// The phones of a source, which nobody else uses.
    ///
    /// - Parameters:
    ///   - phone: is told which phone has the newest channel, until that ends.
    ///   - banned: the devices that get none.
    ///   - note: receives the reason when a phone is refused, and once that the system allows no requests for connection
    ///     parameters.
    package init(
        _ source: any PhoneChannelSource, phone: Published<BluetoothPeer?>, banned: BannedPeers,
        clock: any LinkClock, note: @escaping @Sendable (BluetoothError) -> Void
    ) {
        self.source = source
        self.phone = phone
        self.banned = banned
        self.clock = clock
        self.note = note
        parameters = ParameterRequests(clock: clock, note: note)
    }

    /// Waits for the next phone that may have a channel.
    ///
    /// - Throws: `.closed`; `.transport` for errors of the system, after which the next call continues.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        while true {
            do throws(BluetoothError) {
                let channel = try await source.nextChannel()
                if admits(channel.device) { return take(channel) }
                channel.close()
            } catch {
                guard error.isRefusal else { throw WormholeError(error) }
                note(error)
            }
        }
    }

    /// Takes no more phones. Accepted channels stay open.
    public func close() { source.close() }

    private func admits(_ device: BluetoothPeer) -> Bool {
        !banned.contains(device) && state.withLock { $0.throttle.admits(device, at: clock.now) }
    }

    private func take(_ channel: any PhoneChannel) -> any DatagramTransport {
        let number = state.withLock { state in
            state.newest += 1
            return state.newest
        }
        phone.set(channel.device)
        parameters.opened(channel, number)
        let transport = EndingTransport(
            NotedTransport(channel) { [weak self] frame in self?.carried(frame, over: number, to: channel.device) })
        Task { [weak self] in
            await transport.end()
            self?.ended(number)
        }
        return transport
    }

    private func carried(_ frame: NotedTransport.Frame, over number: UInt64, to device: BluetoothPeer) {
        switch frame {
        case .received(.hello): state.withLock { $0.throttle.greeted(device) }
        case .received, .sent: break
        }
        parameters.carried(frame.kind, over: number)
    }

    private func ended(_ number: UInt64) {
        parameters.ended(number)
        // A newer channel may be that of another phone.
        guard state.withLock({ $0.newest == number }) else { return }
        phone.set(nil)
    }
}
