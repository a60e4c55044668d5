import Synchronization

/// Holds the active reception of files at one endpoint, and the partial files in use. At most one reception is active at a
/// time.
package final class FileReceptions: Sendable {
    package init() {}

    struct Current: Sendable {
        let number: UInt64
        let directory: FileDirectory
        let files: AsyncStream<ReceivedFile>.Continuation
        let arriving: AsyncStream<ArrivingFile>.Continuation
    }

    private enum Arrival {
        case underWay(reception: UInt64)
        case stored
    }

    private struct State {
        var count: UInt64 = 0
        /// `current` is the active reception. It may still accept `left` files; nil for no limit.
        var active: (current: Current, left: Int?)?
        /// The partial files in use by any link or file job, under their names.
        var arrivals: [String: Arrival] = [:]
    }

    private let state = Mutex(State())

    var parts: Set<String> { state.withLock { Set($0.arrivals.keys) } }

    var current: Current? { state.withLock { $0.active?.current } }

    /// Marks a partial file as in use. Returns false if it is in use already, or if the reception has ended or is full.
    func enter(_ part: String, of reception: Current) -> Bool {
        state.withLock { state in
            guard state.arrivals[part] == nil, let active = state.active, active.current.number == reception.number,
                active.left != 0
            else { return false }
            state.arrivals[part] = .underWay(reception: reception.number)
            state.active?.left = active.left.map { $0 - 1 }
            return true
        }
    }

    /// Records that a file is stored under its final name. After that, `leave` no longer makes room for another file in the
    /// reception.
    func stored(_ part: String) { state.withLock { $0.arrivals[part] = .stored } }

    /// Ends the use of a partial file. If the file was not stored, the reception may accept another file in its place.
    func leave(_ part: String) {
        state.withLock { state in
            guard case .underWay(let reception)? = state.arrivals.removeValue(forKey: part),
                let active = state.active, active.current.number == reception
            else { return }
            state.active?.left = active.left.map { $0 + 1 }
        }
    }

    package func begin(in directory: FileDirectory, atMost count: Int?) throws(WormholeError) -> FileReception {
        let (files, fileContinuation) = AsyncStream.makeStream(
            of: ReceivedFile.self, bufferingPolicy: .bufferingNewest(1_024))
        let (arriving, arrivingContinuation) = AsyncStream.makeStream(
            of: ArrivingFile.self, bufferingPolicy: .bufferingNewest(64))
        let number = try state.withLock { state throws(WormholeError) in
            if let other = state.active?.current { throw .receivesAlready(directory: other.directory.path) }
            state.count += 1
            let current = Current(
                number: state.count, directory: directory, files: fileContinuation, arriving: arrivingContinuation)
            state.active = (current, count)
            return state.count
        }
        return FileReception(files: files, arriving: arriving) { [weak self] in self?.end(number) }
    }

    package func end(_ number: UInt64? = nil) {
        let ended: Current? = state.withLock { state in
            guard let current = state.active?.current, number ?? current.number == current.number else { return nil }
            state.active = nil
            return current
        }
        ended?.files.finish()
        ended?.arriving.finish()
    }
}
