import HostSystem

/// Where a watch's thread is asked for a restart: one asker at a time, the others wait for their turn.
final class RestartDesk: Sendable {
    private enum State {
        /// Nobody asks.
        case free
        /// Somebody waits for this.
        case asked(RestartRequest)
        /// It is done, and whoever has asked has not looked yet.
        case answered(Result<FlashImage, RestartError>)
        /// The watch has ended.
        case closed
    }

    /// How long the watch may take to come to rest: 30 s, as for an input.
    private static let patience: UInt64 = 30_000_000

    private let state = WaitableState(State.free)

    /// What somebody waits for, nil for nothing. For the watch's thread.
    var request: RestartRequest? {
        state.read { state in
            switch state {
            case .asked(let request): request
            case .free, .answered, .closed: nil
            }
        }
    }

    /// Says what came of a request. For the watch's thread.
    func answer(_ request: RestartRequest, _ answer: Result<FlashImage, RestartError>) {
        state.change { state in
            switch state {
            // Whoever asked may have given up, and another may ask for something else.
            case .asked(request): state = .answered(answer)
            case .asked, .free, .answered, .closed: break
            }
        }
    }

    /// The watch has ended: nobody gets an answer any more.
    func close() { state.change { $0 = .closed } }

    /// Asks, has `wake` wake the watch's thread, and waits for the answer.
    func ask(_ request: RestartRequest, wake: () -> Void) throws(RestartError) -> FlashImage {
        try takeTurn(for: request)
        wake()
        let end = ClockControl.machineTime + RestartDesk.patience
        let answer: Result<FlashImage, RestartError>? = state.block { state in
            switch state {
            case .answered(let answer): return .finish(answer)
            case .closed: return .finish(.failure(.ended))
            case .asked, .free:
                let now = ClockControl.machineTime
                return now < end ? .wait(microseconds: end - now) : .finish(nil)
            }
        }
        let late = state.change { state -> Result<FlashImage, RestartError>? in
            switch state {
            case .answered(let answer):
                state = .free
                return answer
            case .asked, .free:
                state = .free
                return nil
            case .closed: return nil
            }
        }
        guard let answer = answer ?? late else { throw .neverAtRest }
        return try answer.get()
    }

    private func takeTurn(for request: RestartRequest) throws(RestartError) {
        while true {
            let isClosed = state.block { state in
                switch state {
                case .free: .finish(false)
                case .closed: .finish(true)
                case .asked, .answered: .wait(microseconds: nil)
                }
            }
            if isClosed { throw .ended }
            let isMine = state.change { state in
                switch state {
                case .free:
                    state = .asked(request)
                    return true
                case .asked, .answered, .closed: return false
                }
            }
            if isMine { return }
        }
    }
}
