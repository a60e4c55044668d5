import Synchronization
import WatchLink
import Wormhole

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

    /// A frame has passed over a channel.
    func carried(_ kind: FrameKind, over number: UInt64) {
        report(
            state.withLock { state in
                guard case .open(number, _) = state.link else { return nil }
                state.policy.carried(kind, at: clock.now)
                return request(&state)
            })
    }

    /// A channel has ended.
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
