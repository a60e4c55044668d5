import BluetoothBridge
import DeviceModel
import HostSystem
import Watch
import WatchLink
import Wormhole

/// A simulated watch's radio on one of this machine's Bluetooth adapters. Phones connect to it.
///
/// The radio serves one phone at a time. A new connection replaces the present one, because a phone may reconnect before the
/// watch notices that the old channel is dead. `ConnectionParameterPolicy` decides which connection parameters the radio
/// requests.
public final class BluetoothRadio: RadioPort {
    /// The pause after the system has failed to accept a connection, for example because the process has no free descriptor.
    /// The waiting connection keeps the listener readable. So without this pause, the thread would never sleep.
    private static var restLength: Microseconds { .seconds(1) }

    private let listener: L2CAPListener
    private let phone: Published<BluetoothPeer?>
    private let banned: BannedPeers
    private let note: (BluetoothError) -> Void
    /// The channel of the connected phone.
    private var link: (channel: RadioChannel, l2cap: L2CAPChannel)?
    /// The radio accepts no connection before this time, because the system failed to accept one.
    private var restsUntil: Instant?
    private var throttle = ChannelThrottle()
    private var connections: UInt32 = 0
    private var parameters = ConnectionParameterPolicy()
    /// The time of the last call of `service`. The board makes this call just before it sends or receives a datagram.
    private var now = Instant.start

    /// Creates a radio for the phones that connect to `listener`. Nothing else may use the listener. The radio closes the
    /// channels of devices in `banned`.
    ///
    /// - Parameter note: called on the watch's thread with an error when the listener refuses a phone or fails, or when a
    ///   request for connection parameters fails.
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
    public var state: RadioState { link?.channel.state ?? .down }

    /// What the board waits for: events of the channel, a new connection, or the time at which `service` next has work.
    public var interest: RadioInterest {
        var interest = RadioInterest(.nothing)
        if let link { interest.watching = link.channel.watching }
        interest.wakeAt = [restsUntil, parameters.wakeAt(from: now)].compactMap { $0 }.min()
        if restsUntil == nil { interest.listening = listener.fileDescriptor }
        return interest
    }

    /// Sends one datagram. Returns `.refused` if no phone is connected.
    public func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        guard link != nil else { return .refused }
        guard let outcome = link?.channel.send(datagram) else {
            disconnect()
            return .refused
        }
        if outcome == .sent { carried(datagram) }
        return outcome
    }

    /// Copies the next datagram into `buffer`, and returns the datagram's full length, which can exceed the buffer's. Returns
    /// nil if no datagram has arrived.
    public func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard let link else { return nil }
        switch link.channel.receive(into: &buffer) {
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
        guard let link else { return }
        link.channel.close()
        self.link = nil
        phone.set(nil)
        parameters.closed()
    }

    /// Tells the policy that the wearer is looking at the watch. Requests faster connection parameters if the policy wants them
    /// now.
    public func wearerActed(at now: Instant) {
        parameters.wearerActed(at: now)
        requestParameters(at: now)
    }

    /// Accepts waiting connections, and requests the connection parameters that the policy wants now. Does not block.
    public func service(at now: Instant) {
        self.now = now
        acceptPhones(at: now)
        requestParameters(at: now)
    }

    private func acceptPhones(at now: Instant) {
        if let end = restsUntil, end > now { return }
        restsUntil = nil
        while restsUntil == nil {
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
                if !error.isRefusal { restsUntil = now + Self.restLength }
            }
        }
    }

    private func take(_ channel: L2CAPChannel) {
        disconnect()
        connections += 1
        link = (
            RadioChannel(channel.socket, connection: connections, maximumSDU: channel.transport.largestDatagram),
            channel
        )
        parameters.opened(at: now)
        phone.set(channel.device)
    }

    private func carried(_ frame: Span<UInt8>) {
        guard !frame.isEmpty else { return }
        parameters.carried(FrameKind(rawValue: frame[0]), at: now)
        requestParameters(at: now)
    }

    private func requestParameters(at now: Instant) {
        guard let link, let news = parameters.request(from: link.l2cap, at: now) else { return }
        note(news)
    }
}

extension BluetoothPeripheral {
    /// Creates a radio for a simulated watch. Phones connect to the radio through this peripheral's adapter.
    ///
    /// - Parameter note: called on the watch's thread with an error when the radio refuses a phone, when it fails to accept
    ///   one, or when a request for connection parameters fails.
    public func makeRadio(note: @escaping @Sendable (BluetoothError) -> Void) -> sending BluetoothRadio {
        BluetoothRadio(listener, phone: phone, banned: banned, note: note)
    }
}
