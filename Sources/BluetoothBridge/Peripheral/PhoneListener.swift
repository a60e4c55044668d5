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

/// A channel that a phone has opened to a watch: one of `L2CAPListener`, or a test's own.
package protocol PhoneChannel: DatagramTransport {
    var device: BluetoothPeer { get }

    /// Requests connection parameters, without waiting for them.
    ///
    /// - Throws: `.ended` if the channel has ended; `.noAdapter`; `.system`.
    func request(_ priority: ConnectionPriority) throws(BluetoothError) -> PriorityRequestOutcome
}

/// Where phones open channels.
package protocol PhoneChannelSource: Sendable {
    /// Waits for the next channel.
    ///
    /// - Throws: `.insecure` and `.tooNarrow` for a phone that was refused, after which the next call continues; `.ended` once
    ///   this is closed, or the task is cancelled; `.system`.
    func nextChannel() async throws(BluetoothError) -> any PhoneChannel

    /// Takes no more channels. Those that were taken stay open.
    func close()
}

extension L2CAPChannel: PhoneChannel {}

extension ConnectionParameterPolicy {
    /// Requests from a channel what it wishes now, if anything.
    ///
    /// - Returns: what the owner should know: the first refusal of the system, or an error other than that the channel has ended.
    package mutating func request(from channel: any PhoneChannel, at now: Instant) -> BluetoothError? {
        guard let wish = wish(at: now) else { return nil }
        do throws(BluetoothError) {
            return switch requested(wish, at: now, try channel.request(wish)) {
            case .nothing: nil
            case .firstRefusal: .parametersKept
            }
        } catch {
            // Requested again with the next change only: the link works with any parameters.
            _ = requested(wish, at: now, .requested)
            return error == .ended ? nil : error
        }
    }
}

extension L2CAPListener: PhoneChannelSource {
    package func nextChannel() async throws(BluetoothError) -> any PhoneChannel { try await next() }
}

/// Requests the connection parameters of the newest channel, when `ConnectionParameterPolicy` decides so.
final class ParameterRequests: Sendable {
    private enum Timer {
        case none
        /// The task looks again when the policy has said to.
        case set(Task<Void, Never>)

        func cancel() {
            switch self {
            case .none: break
            case .set(let task): task.cancel()
            }
        }
    }

    private enum Link {
        case none
        case open(number: UInt64, any PhoneChannel)
    }

    private struct State {
        var policy = ConnectionParameterPolicy()
        var link = Link.none
        var timer = Timer.none
    }

    private let clock: any LinkClock
    private let note: @Sendable (BluetoothError) -> Void
    private let state = Mutex(State())

    /// - Parameter note: receives once that the system allows no requests, and each error of one.
    init(clock: any LinkClock, note: @escaping @Sendable (BluetoothError) -> Void) {
        self.clock = clock
        self.note = note
    }

    /// A channel was opened, with a number higher than those before.
    func opened(_ channel: any PhoneChannel, _ number: UInt64) {
        report(
            state.withLock { state in
                state.timer.cancel()
                state.timer = .none
                state.link = .open(number: number, channel)
                state.policy.opened(at: clock.now)
                return request(&state)
            })
    }

    func carried(_ kind: FrameKind, over number: UInt64) {
        report(
            state.withLock { state in
                guard case .open(number, _) = state.link else { return nil }
                state.policy.carried(kind, at: clock.now)
                return request(&state)
            })
    }

    func ended(_ number: UInt64) {
        state.withLock { state in
            guard case .open(number, _) = state.link else { return }
            state.timer.cancel()
            (state.timer, state.link) = (.none, .none)
            state.policy.closed()
        }
    }

    private func timerFired(_ number: UInt64) {
        report(
            state.withLock { state in
                guard case .open(number, _) = state.link else { return nil }
                state.timer = .none
                return request(&state)
            })
    }

    /// Requests what the policy wants now, and sets the timer for what it will want.
    ///
    /// - Returns: what to note.
    private func request(_ state: inout State) -> BluetoothError? {
        guard case .open(let number, let channel) = state.link else { return nil }
        let now = clock.now
        let news = state.policy.request(from: channel, at: now)
        if case .none = state.timer, let next = state.policy.wakeAt(from: now) {
            state.timer = .set(
                Task { [weak self, clock] in
                    guard (try? await clock.sleep(until: next)) != nil else { return }
                    self?.timerFired(number)
                })
        }
        return news
    }

    private func report(_ news: BluetoothError?) {
        if let news { note(news) }
    }
}
