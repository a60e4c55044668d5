import HostSystem
import Synchronization
import Watch

/// Requests to a watch's thread: for a restart, one at a time, and for its end.
final class RestartMailbox: Sendable {
    private enum State {
        case free
        case asked(RestartRequest)
        /// The asker has not fetched the answer yet.
        case answered(Result<FlashImage, RestartError>)
        case closed
    }

    /// How long the watch may take to come to rest: 30 s, as for an input.
    private static let patience: UInt64 = 30_000_000

    private let state = WaitableState(State.free)
    /// Held by the asker whose turn it is.
    private let turn = Mutex(())
    private let stopping = Mutex(false)

    /// Whether the watch's thread is to end.
    var isStopping: Bool { stopping.withLock { $0 } }

    func stop() { stopping.withLock { $0 = true } }

    /// The request that waits. For the watch's thread, as is `answer`.
    var request: RestartRequest? {
        state.read { state in
            switch state {
            case .asked(let request): request
            case .free, .answered, .closed: nil
            }
        }
    }

    /// Answers a request, unless its asker has given up.
    func answer(_ request: RestartRequest, _ answer: Result<FlashImage, RestartError>) {
        state.change { state in
            switch state {
            // Whoever asked may have given up, and another may ask for something else.
            case .asked(request): state = .answered(answer)
            case .asked, .free, .answered, .closed: break
            }
        }
    }

    func close() { state.change { $0 = .closed } }

    /// Wakes the watch's thread by `wake`, and waits for the answer.
    func ask(_ request: RestartRequest, wake: () -> Void) throws(RestartError) -> FlashImage {
        try turn.withLock { _ in answer(to: request, wake: wake) }.get()
    }

    private func answer(to request: RestartRequest, wake: () -> Void) -> Result<FlashImage, RestartError> {
        let isClosed = state.change { state in
            switch state {
            case .free, .asked, .answered: state = .asked(request)
            case .closed: return true
            }
            return false
        }
        if isClosed { return .failure(.ended) }
        wake()
        let end = ClockControl.machineTime + RestartMailbox.patience
        let answer: Result<FlashImage, RestartError>? = state.block { state in
            switch state {
            case .answered(let answer): return .finish(answer)
            case .closed: return .finish(.failure(.ended))
            case .asked, .free:
                let now = ClockControl.machineTime
                return now < end ? .wait(microseconds: end - now) : .finish(nil)
            }
        }
        // The answer may have come just now.
        let late: Result<FlashImage, RestartError> = state.change { state in
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
        return answer ?? late
    }
}

/// What is done to a running watch between two steps of its program.
public enum RestartRequest: Sendable, Equatable {
    /// Nothing: only the contents of its flash are wanted.
    case read
    /// The power goes and comes back. RAM is lost, the flash is kept, the link is dropped.
    case restart
    /// Back to the factory: the flash is erased before that.
    case reset
    /// Other contents come into the flash before that.
    case load(FlashImage)
}

/// Why a watch was not restarted, or its flash not read. It goes on as it was, except after `.flashFailed`.
public enum RestartError: Error, Sendable, Equatable {
    case impossible
    case ended
    case neverAtRest
    case otherChip(expected: FlashGeometry, found: FlashGeometry)
    /// If the contents were to be replaced, they are undefined now.
    case flashFailed(FlashError)
}

extension RestartError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .impossible: "only the simulated watch can be restarted in place"
        case .ended: "the watch has ended"
        case .neverAtRest: "the watch did not come to rest within 30 s: try it again when it has less to do"
        case .otherChip(let expected, let found):
            "it is of a watch whose flash has \(found.words), and this watch's has \(expected.words): load it into one of its kind"
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
