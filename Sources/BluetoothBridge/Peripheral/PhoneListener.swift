import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// Accepts the channels that phones open to this machine, which acts as their watch. The watch's endpoint needs a listener,
/// because over Bluetooth the phone opens the channel.
///
/// A device that tried to pair without comparing digits gets no channel. A phone that repeatedly opens channels without saying
/// hello has to wait before the next one, longer each time. For the newest channel, the listener requests the connection
/// parameters that `ConnectionParameterPolicy` decides on.
public final class PhoneListener: TransportListener {
    private struct State {
        var throttle = ChannelThrottle()
        var policy = ConnectionParameterPolicy()
        var newest: UInt64 = 0
        var channel: (any PhoneChannel)?
        /// The task that asks `policy` again at the time that `wakeAt` returned.
        var timer: Task<Void, Never>?
    }

    private let source: any PhoneChannelSource
    private let phone: Published<BluetoothPeer?>
    private let banned: BannedPeers
    private let clock: any LinkClock
    private let note: @Sendable (BluetoothError) -> Void
    private let state = Mutex(State())

    /// No other listener may take channels from `source`. The new listener sets `phone` to the phone with the newest channel,
    /// and to nil when that channel ends.
    ///
    /// The listener calls `note` with the error if `source` refuses a phone, or if a request for connection parameters fails on
    /// an open channel. If the system allows no such requests, the listener calls `note` once, with `.parametersKept`. A phone
    /// that the listener itself does not admit causes no note.
    package init(
        _ source: any PhoneChannelSource, phone: Published<BluetoothPeer?>, banned: BannedPeers,
        clock: any LinkClock, note: @escaping @Sendable (BluetoothError) -> Void
    ) {
        self.source = source
        self.phone = phone
        self.banned = banned
        self.clock = clock
        self.note = note
    }

    /// Waits for a channel from a phone that the listener admits. Throws `.closed` once the listener is closed or the task is
    /// cancelled. Throws `.transport` for an error of the system; the caller may then call again.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        while true {
            do throws(BluetoothError) {
                let channel = try await source.nextChannel()
                if admits(channel.device) { return take(channel) }
                channel.transport.close()
            } catch {
                guard error.isRefusal else { throw WormholeError(error) }
                note(error)
            }
        }
    }

    /// Stops accepting channels. Accepted channels stay open.
    public func close() { source.close() }

    private func admits(_ device: BluetoothPeer) -> Bool {
        !banned.contains(device) && state.withLock { $0.throttle.admits(device, at: clock.now) }
    }

    private func take(_ channel: any PhoneChannel) -> any DatagramTransport {
        let number = state.withLock { state in
            state.newest += 1
            state.timer?.cancel()
            (state.channel, state.timer) = (channel, nil)
            state.policy.opened(at: clock.now)
            return state.newest
        }
        phone.set(channel.device)
        requestParameters(number)
        let transport = ObservedTransport(channel.transport) { [weak self] datagram, direction in
            self?.carried(datagram, direction, over: number, to: channel.device)
        }
        Task { [weak self] in
            await transport.end()
            self?.ended(number)
        }
        return transport
    }

    private func carried(
        _ datagram: [UInt8], _ direction: ObservedTransport.Direction, over number: UInt64, to device: BluetoothPeer
    ) {
        guard let kind = datagram.first.map(FrameKind.init) else { return }
        state.withLock { state in
            if direction == .received, kind == .hello { state.throttle.greeted(device) }
            if number == state.newest { state.policy.carried(kind, at: clock.now) }
        }
        requestParameters(number)
    }

    private func ended(_ number: UInt64) {
        let isNewest = state.withLock { state in
            guard number == state.newest else { return false }
            state.timer?.cancel()
            (state.channel, state.timer) = (nil, nil)
            state.policy.closed()
            return true
        }
        // A newer channel may belong to another phone.
        if isNewest { phone.set(nil) }
    }

    /// Requests the connection parameters that the policy wants now, and sets the timer for the policy's next change. Does
    /// nothing if the channel with this number is not the newest.
    private func requestParameters(_ number: UInt64) {
        let news = state.withLock { state -> BluetoothError? in
            guard number == state.newest, let channel = state.channel else { return nil }
            let now = clock.now
            let news = state.policy.request(from: channel, at: now)
            if state.timer == nil, let next = state.policy.wakeAt(from: now) {
                state.timer = Task { [weak self, clock] in
                    guard (try? await clock.sleep(until: next)) != nil else { return }
                    self?.timerFired(number)
                }
            }
            return news
        }
        if let news { note(news) }
    }

    private func timerFired(_ number: UInt64) {
        state.withLock { if number == $0.newest { $0.timer = nil } }
        requestParameters(number)
    }
}

/// A channel that a phone opened to a watch.
package protocol PhoneChannel: Sendable {
    var transport: any DatagramTransport { get }
    var device: BluetoothPeer { get }

    /// Requests the connection parameters of `priority`, without waiting for their effect. Throws `.ended` if the channel has
    /// ended, otherwise `.noAdapter` or `.system`.
    func request(_ priority: ConnectionPriority) throws(BluetoothError) -> PriorityRequestOutcome
}

package protocol PhoneChannelSource: Sendable {
    /// Waits for the next channel. Throws `.insecure` or `.tooNarrow` for a refused phone; the caller may then call again.
    /// Throws `.ended` once this source is closed or the task is cancelled, and `.system` for an error of the system.
    func nextChannel() async throws(BluetoothError) -> any PhoneChannel

    /// Closes the source. Channels that `nextChannel` has returned stay open.
    func close()
}

extension L2CAPChannel: PhoneChannel {}

extension ConnectionParameterPolicy {
    /// Requests the connection parameters that the policy wants now. Does nothing if it wants none. Returns an error to report
    /// to the owner: `.parametersKept` for the system's first refusal, or any error of the request except `.ended`.
    package mutating func request(from channel: any PhoneChannel, at now: Instant) -> BluetoothError? {
        guard let wish = wish(at: now) else { return nil }
        do throws(BluetoothError) {
            switch try channel.request(wish) {
            case .requested: requested(wish, at: now)
            case .notAllowed: return refused() ? .parametersKept : nil
            }
            return nil
        } catch {
            // The error counts as a request, because the link works with any parameters. The next change of the policy brings
            // the next request.
            requested(wish, at: now)
            return error == .ended ? nil : error
        }
    }
}

extension L2CAPListener: PhoneChannelSource {
    package func nextChannel() async throws(BluetoothError) -> any PhoneChannel { try await next() }
}
