import HostSystem
import Synchronization
import Watch

/// Passes restart requests to a watch's thread, one at a time, and tells the thread when to stop.
final class RestartMailbox: Sendable {
    private enum State {
        case free
        case asked(RestartRequest)
        /// The watch's thread has answered, and the caller has not read the answer.
        case answered(Result<FlashImage, RestartError>)
        case closed
    }

    /// The maximum time that `ask` waits for an answer, in microseconds. It equals the default of `WatchDevice.settle`.
    private static let timeout: UInt64 = 30_000_000

    private let state = WaitableState(State.free)
    private let turn = Mutex(())
    private let stopping = Mutex(false)

    var isStopping: Bool { stopping.withLock { $0 } }

    func stop() { stopping.withLock { $0 = true } }

    /// The request that waits for an answer; nil if there is none. Only the watch's thread may read it and call `answer`.
    var request: RestartRequest? {
        state.read { state in
            guard case .asked(let request) = state else { return nil }
            return request
        }
    }

    /// Answers a request. Does nothing if `ask` no longer waits for the answer.
    func answer(_ request: RestartRequest, _ answer: Result<FlashImage, RestartError>) {
        state.change { state in
            if case .asked(request) = state { state = .answered(answer) }
        }
    }

    func close() { state.change { $0 = .closed } }

    func ask(_ request: RestartRequest, wake: () -> Void) throws(RestartError) -> FlashImage {
        try turn.withLock { _ in answer(to: request, wake: wake) }.get()
    }

    private func answer(to request: RestartRequest, wake: () -> Void) -> Result<FlashImage, RestartError> {
        let isOpen = state.change { state in
            if case .closed = state { return false }
            state = .asked(request)
            return true
        }
        guard isOpen else { return .failure(.ended) }
        wake()
        let end = ClockControl.machineTime + RestartMailbox.timeout
        state.block { state in
            let now = ClockControl.machineTime
            guard case .asked = state, now < end else { return .finish(()) }
            return .wait(microseconds: end - now)
        }
        return state.change { state in
            switch state {
            case .answered(let answer):
                state = .free
                return answer
            case .asked, .free:
                state = .free
                return .failure(.neverAtRest)
            case .closed: return .failure(.ended)
            }
        }
    }
}

/// A request to a running watch. The watch performs it between two steps of its program.
public enum RestartRequest: Sendable, Equatable {
    /// Reads the contents of the flash. The watch does not restart.
    case read
    /// Cuts and restores the power. The watch loses its RAM and its link, and keeps its flash.
    case restart
    /// Erases the flash, then restarts the watch.
    case reset
    /// Replaces the contents of the flash, then restarts the watch.
    case load(FlashImage)
}

/// The reason why a `RestartRequest` failed. The failed request has changed nothing, unless the reason is `.flashFailed`.
public enum RestartError: Error, Sendable, Equatable {
    case impossible
    case ended
    case neverAtRest
    case otherChip(expected: FlashGeometry, found: FlashGeometry)
    /// The flash chip failed. If the request was `.load` or `.reset`, the contents of the flash are now undefined.
    case flashFailed(FlashError)
}

extension RestartError: CustomStringConvertible {
    /// One line for the user.
    public var description: String {
        switch self {
        case .impossible: "only the simulated watch can be restarted in place"
        case .ended: "the watch has ended"
        case .neverAtRest: "the watch did not come to rest within 30 s: try it again when it has less to do"
        case .otherChip(let expected, let found):
            "it is of a watch whose flash has \(found.words), and this watch's has \(expected.words): load it into such a watch"
        case .flashFailed(.outOfRange), .flashFailed(.verifyFailed):
            "the watch's flash chip does not keep what is written: end the watch and start it with another --flash"
        case .flashFailed(.notResponding):
            "the file of the watch's flash cannot be used any more: end the watch and start it with another --flash"
        }
    }
}

extension FlashGeometry {
    fileprivate var words: String {
        "\(sectorCount) sectors of \(sectorSize) bytes, \(fileSectorCount) of them for files"
    }
}
