import Synchronization

/// Who receives files of this endpoint: nobody, or one program into one directory.
final class FileReceptions: Sendable {
    /// A reception that has not ended.
    struct Current: Sendable {
        let number: UInt64
        let directory: FileDirectory
        let files: AsyncStream<ReceivedFile>.Continuation
        let arriving: AsyncStream<ArrivingFile>.Continuation
    }

    private enum State {
        case nobody(next: UInt64)
        case somebody(Current)
    }

    private let state = Mutex(State.nobody(next: 1))
    /// The hidden files that are under way, on every link.
    private let underWay = Mutex<Set<String>>([])

    var parts: Set<String> { underWay.withLock { $0 } }

    /// A hidden file is under way from now on; false where it is already.
    func enter(_ part: String) -> Bool { underWay.withLock { $0.insert(part).inserted } }

    func leave(_ part: String) { underWay.withLock { _ = $0.remove(part) } }

    var current: Current? {
        state.withLock { state in
            switch state {
            case .nobody: nil
            case .somebody(let current): current
            }
        }
    }

    /// - Throws: `.receivesAlready`.
    func begin(in directory: FileDirectory) throws(WormholeError) -> FileReception {
        let (files, fileContinuation) = AsyncStream.makeStream(
            of: ReceivedFile.self, bufferingPolicy: .bufferingNewest(1_024))
        let (arriving, arrivingContinuation) = AsyncStream.makeStream(
            of: ArrivingFile.self, bufferingPolicy: .bufferingNewest(64))
        let number = try state.withLock { state throws(WormholeError) in
            switch state {
            case .somebody(let other): throw .receivesAlready(directory: other.directory.path)
            case .nobody(let number):
                state = .somebody(
                    Current(
                        number: number, directory: directory, files: fileContinuation, arriving: arrivingContinuation))
                return number
            }
        }
        return FileReception(files: files, arriving: arriving) { [weak self] in self?.end(number) }
    }

    /// Ends a reception, or whichever there is.
    func end(_ number: UInt64? = nil) {
        let ended: Current? = state.withLock { state in
            guard case .somebody(let current) = state, number ?? current.number == current.number else { return nil }
            state = .nobody(next: current.number + 1)
            return current
        }
        ended?.files.finish()
        ended?.arriving.finish()
    }
}
