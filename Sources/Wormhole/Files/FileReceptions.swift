import Synchronization

/// The endpoint's reception of files. At most one is active, into one directory.
package final class FileReceptions: Sendable {
    package init() {}

    /// A reception that has not ended.
    struct Current: Sendable {
        let number: UInt64
        let directory: FileDirectory
        let files: AsyncStream<ReceivedFile>.Continuation
        let arriving: AsyncStream<ArrivingFile>.Continuation
    }

    private enum State {
        case idle(next: UInt64)
        /// `left` is how many more files may start to arrive; nil for any number.
        case active(Current, left: Int?)
    }

    /// The state of a file that has started to arrive.
    private enum Arrival {
        case underWay(reception: UInt64)
        case stored
    }

    private let state = Mutex(State.idle(next: 1))
    /// The partial files in use on any link, by name.
    private let arrivals = Mutex<[String: Arrival]>([:])

    var parts: Set<String> { arrivals.withLock { Set($0.keys) } }

    /// Reserves a place for a partial file; false if it is in use already, or if the reception is full.
    func enter(_ part: String, of reception: Current) -> Bool {
        arrivals.withLock { arrivals in
            guard arrivals[part] == nil, takePlace(in: reception) else { return false }
            arrivals[part] = .underWay(reception: reception.number)
            return true
        }
    }

    /// Records that a file has its final name. It still counts against the reception's limit.
    func stored(_ part: String) { arrivals.withLock { $0[part] = .stored } }

    /// Releases a partial file. If the file was not stored, the reception may accept another one in its place.
    func leave(_ part: String) {
        guard case .underWay(let reception)? = arrivals.withLock({ $0.removeValue(forKey: part) }) else { return }
        state.withLock { state in
            guard case .active(let current, let left?) = state, current.number == reception else { return }
            state = .active(current, left: left + 1)
        }
    }

    private func takePlace(in reception: Current) -> Bool {
        state.withLock { state in
            guard case .active(let current, let left) = state, current.number == reception.number else { return false }
            guard let left else { return true }
            guard left > 0 else { return false }
            state = .active(current, left: left - 1)
            return true
        }
    }

    var current: Current? {
        state.withLock { state in
            switch state {
            case .idle: nil
            case .active(let current, _): current
            }
        }
    }

    /// - Parameter count: the most files to store; nil for any number.
    /// - Throws: `.receivesAlready`.
    package func begin(in directory: FileDirectory, atMost count: Int?) throws(WormholeError) -> FileReception {
        let (files, fileContinuation) = AsyncStream.makeStream(
            of: ReceivedFile.self, bufferingPolicy: .bufferingNewest(1_024))
        let (arriving, arrivingContinuation) = AsyncStream.makeStream(
            of: ArrivingFile.self, bufferingPolicy: .bufferingNewest(64))
        let number = try state.withLock { state throws(WormholeError) in
            switch state {
            case .active(let other, _): throw .receivesAlready(directory: other.directory.path)
            case .idle(let number):
                state = .active(
                    Current(
                        number: number, directory: directory, files: fileContinuation, arriving: arrivingContinuation),
                    left: count)
                return number
            }
        }
        return FileReception(files: files, arriving: arriving) { [weak self] in self?.end(number) }
    }

    /// Ends the reception with this number, or the current one if the number is nil.
    package func end(_ number: UInt64? = nil) {
        let ended: Current? = state.withLock { state in
            guard case .active(let current, _) = state, number ?? current.number == current.number else { return nil }
            state = .idle(next: current.number + 1)
            return current
        }
        ended?.files.finish()
        ended?.arriving.finish()
    }
}
