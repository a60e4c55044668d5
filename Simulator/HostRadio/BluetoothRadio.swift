import BluetoothBridge
import DeviceModel
import HostSystem
import Watch
import WatchLink
import Wormhole

/// A watch's radio on a Bluetooth adapter. Phones connect to it.
///
/// It serves one phone at a time. A phone that connects replaces the connected one, because a phone may reconnect before the
/// watch notices that the old channel is dead. `ConnectionParameterPolicy` decides which connection parameters it requests.
public final class BluetoothRadio: RadioPort {
    private enum Link {
        case down
        /// A phone is connected through this channel.
        case up(RadioChannel, L2CAPChannel)
    }

    private enum Attention {
        case listening
        /// The system failed to accept a connection. The radio accepts no other before this time.
        case resting(until: Instant)
    }

    /// The pause after the system failed to accept a connection, for example because the process is out of descriptors. The
    /// pending connection keeps the descriptor readable. So without the pause, the thread would never sleep.
    private static var restLength: Microseconds { .seconds(1) }

    private let listener: L2CAPListener
    private let phone: Published<BluetoothPeer?>
    private let banned: BannedPeers
    private let note: (BluetoothError) -> Void
    private var link = Link.down
    private var attention = Attention.listening
    private var throttle = ChannelThrottle()
    private var connections: UInt32 = 0
    private var parameters = ConnectionParameterPolicy()
    /// The time of the last call of `service`. The board calls it just before each send and receive.
    private var now = Instant.start

    /// Creates a radio for phones that connect to `listener`. Only this radio may use the listener.
    ///
    /// - Parameters:
    ///   - phone: receives the phone that is connected.
    ///   - banned: devices whose connections are refused.
    ///   - note: receives an error when the radio refuses a phone, when the system cannot accept a connection, and when the
    ///     connection parameters do not change. It is called on the watch's thread.
    init(
        _ listener: L2CAPListener, phone: Published<BluetoothPeer?> = Published(nil),
        banned: BannedPeers = BannedPeers(),
        note: @escaping (BluetoothError) -> Void = { _ in }
    ) {
        self.listener = listener
        self.phone = phone
        self.banned = banned
        self.note = note
    }

    /// The state of the radio: up while a phone is connected.
    public var state: RadioState {
        switch link {
        case .down: .down
        case .up(let channel, _): channel.state
        }
    }

    /// The events to wait for: on the channel, and a new connection.
    public var interest: RadioInterest {
        var interest = RadioInterest(.nothing)
        if case .up(let channel, _) = link { interest.watching = channel.watching }
        interest.wakeAt = parameters.wakeAt(from: now)
        switch attention {
        case .listening: interest.listening = listener.fileDescriptor
        case .resting(let end): interest.wakeAt = [end, interest.wakeAt].compactMap { $0 }.min()
        }
        return interest
    }

    /// Sends one datagram. Returns `.refused` if no phone is connected.
    public func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        guard case .up(var channel, let l2cap) = link else { return .refused }
        guard let outcome = channel.send(datagram) else {
            disconnect()
            return .refused
        }
        link = .up(channel, l2cap)
        if outcome == .sent { carried(datagram) }
        return outcome
    }

    /// Copies the next datagram into `buffer`, and returns its full length. Returns nil if there is none.
    public func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard case .up(let channel, _) = link else { return nil }
        switch channel.receive(into: &buffer) {
        case .datagram(let count), .truncated(let count):
            let frame = buffer.span.extracting(0..<min(count, buffer.count))
            if !frame.isEmpty, FrameKind(rawValue: frame[0]) == .hello, let phone = phone.value {
                throttle.greeted(phone)
            }
            carried(frame)
            return count
        case .nothing: return nil
        case .closed:
            disconnect()
            return nil
        }
    }

    /// Closes the channel. The phone may connect again.
    public func disconnect() {
        guard case .up(let channel, _) = link else { return }
        channel.close()
        link = .down
        phone.set(nil)
        parameters.closed()
    }

    /// Requests a faster link, because the wearer is looking at the watch.
    public func wearerActed(at now: Instant) {
        parameters.wearerActed(at: now)
        requestParameters(at: now)
    }

    /// Accepts connections and requests parameters, without blocking.
    public func service(at now: Instant) {
        self.now = now
        acceptPhones(at: now)
        requestParameters(at: now)
    }

    private func acceptPhones(at now: Instant) {
        if case .resting(let end) = attention, end > now { return }
        attention = .listening
        while case .listening = attention {
            do throws(BluetoothError) {
                guard let channel = try listener.acceptWaiting() else { return }
                if banned.contains(channel.device) || !throttle.admits(channel.device, at: now) {
                    channel.socket.close()
                } else {
                    take(channel)
                }
            } catch {
                guard error != .ended else { return }
                note(error)
                if !error.isRefusal { attention = .resting(until: now + Self.restLength) }
            }
        }
    }

    private func take(_ channel: L2CAPChannel) {
        disconnect()
        connections += 1
        link = .up(
            RadioChannel(channel.socket, connection: connections, maximumSDU: channel.transport.largestDatagram),
            channel)
        parameters.opened(at: now)
        phone.set(channel.device)
    }

    // MARK: Connection parameters

    private func carried(_ frame: Span<UInt8>) {
        guard !frame.isEmpty else { return }
        parameters.carried(FrameKind(rawValue: frame[0]), at: now)
        requestParameters(at: now)
    }

    private func requestParameters(at now: Instant) {
        guard case .up(_, let channel) = link, let news = parameters.request(from: channel, at: now) else { return }
        note(news)
    }
}

extension BluetoothPeripheral {
    /// Creates a radio for a simulated watch. Phones connect to it through this adapter.
    ///
    /// - Parameter note: receives an error when the radio refuses a phone, and other errors; see `BluetoothRadio`.
    public func makeRadio(note: @escaping @Sendable (BluetoothError) -> Void) -> sending BluetoothRadio {
        BluetoothRadio(listener, phone: phone, banned: banned, note: note)
    }
}
