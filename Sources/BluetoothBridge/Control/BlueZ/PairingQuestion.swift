import Synchronization
import WatchLink
import Wormhole

/// A question of bluetoothd to compare digits. It is answered once: by the person, when the time is over, or when
/// bluetoothd cancels it.
final class PairingQuestion: Sendable {
    private enum State {
        case open(BusExport.Answer, work: [Task<Void, Never>])
        case answered
    }

    private let state: Mutex<State>

    init(
        _ request: PairingRequest, until deadline: WatchLink.Instant, on clock: any LinkClock,
        to reply: @escaping BusExport.Answer,
        asking answer: @escaping PairingAnswer
    ) {
        state = Mutex(.open(reply, work: []))
        let asking = Task {
            switch await answer(request) {
            case .accept: end(.success([]))
            case .reject: end(.failure(BlueZ.fault("Rejected", "the digits were not confirmed")))
            }
        }
        let waiting = Task {
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            end(.failure(BlueZ.fault("Canceled", "nobody compared the digits in time")))
        }
        let isOver = state.withLock { state in
            guard case .open(let reply, _) = state else { return true }
            state = .open(reply, work: [asking, waiting])
            return false
        }
        if isOver { waiting.cancel() }
    }

    /// Answers the question where it is still open, and cancels the tasks that wait for the person.
    func end(_ result: Result<[BusValue], BusFault>) {
        let before = state.withLock { state in
            defer { state = .answered }
            return state
        }
        guard case .open(let reply, let work) = before else { return }
        reply(result)
        for task in work { task.cancel() }
    }
}
