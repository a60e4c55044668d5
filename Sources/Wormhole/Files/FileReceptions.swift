import Synchronization

/// Who receives files of this endpoint: nobody, or one program into one directory.
package final class FileReceptions: Sendable {
    package init() {}

    /// A reception that has not ended.
    struct Current: Sendable {
        let number: UInt64
        let directory: FileDirectory
        let files: AsyncStream<ReceivedFile>.Continuation
        let arriving: AsyncStream<ArrivingFile>.Continuation
    }

    /// How many more files may begin to arrive.
    private enum Allowance {
        case anyNumber
        case atMost(Int)
    }

    private enum State {
        case nobody(next: UInt64)
        case somebody(Current, Allowance)
    }

    /// What has become of a file that began to arrive.
    private enum Arrival {
        case underWay(reception: UInt64)
        case stored
    }

    private let state = Mutex(State.nobody(next: 1))
    /// The hidden files that are under way, on every link.
    private let arrivals = Mutex<[String: Arrival]>([:])

    var parts: Set<String> { arrivals.withLock { Set($0.keys) } }

    /// A hidden file is under way from now on; false where it is already, and where the reception takes no further one.
    func enter(_ part: String, of reception: Current) -> Bool {
        arrivals.withLock { arrivals in
            guard arrivals[part] == nil, takePlace(in: reception) else { return false }
            arrivals[part] = .underWay(reception: reception.number)
            return true
        }
    }

    /// A file has its name: it has used up its place.
    func stored(_ part: String) { arrivals.withLock { $0[part] = .stored } }

    /// Nothing more arrives of a file. Another one may come in the place of one that was not stored.
    func leave(_ part: String) {
        guard case .underWay(let reception)? = arrivals.withLock({ $0.removeValue(forKey: part) }) else { return }
        state.withLock { state in
            guard case .somebody(let current, .atMost(let count)) = state, current.number == reception else { return }
            state = .somebody(current, .atMost(count + 1))
        }
    }

    private func takePlace(in reception: Current) -> Bool {
        state.withLock { state in
            guard case .somebody(let current, let allowance) = state, current.number == reception.number else {
                return false
            }
            switch allowance {
            case .anyNumber: return true
            case .atMost(let count):
                guard count > 0 else { return false }
                state = .somebody(current, .atMost(count - 1))
                return true
            }
        }
    }

    var current: Current? {
        state.withLock { state in
            switch state {
            case .nobody: nil
            case .somebody(let current, _): current
            }
        }
    }

    /// - Parameter count: the most files that are stored; nil for any number.
    /// - Throws: `.receivesAlready`.
    package func begin(in directory: FileDirectory, atMost count: Int?) throws(WormholeError) -> FileReception {
        let (files, fileContinuation) = AsyncStream.makeStream(
            of: ReceivedFile.self, bufferingPolicy: .bufferingNewest(1_024))
        let (arriving, arrivingContinuation) = AsyncStream.makeStream(
            of: ArrivingFile.self, bufferingPolicy: .bufferingNewest(64))
        let number = try state.withLock { state throws(WormholeError) in
            switch state {
            case .somebody(let other, _): throw .receivesAlready(directory: other.directory.path)
            case .nobody(let number):
                state = .somebody(
                    Current(
                        number: number, directory: directory, files: fileContinuation, arriving: arrivingContinuation),
                    count.map(Allowance.atMost) ?? .anyNumber)
                return number
            }
        }
        return FileReception(files: files, arriving: arriving) { [weak self] in self?.end(number) }
    }

    /// Ends a reception, or whichever there is.
    package func end(_ number: UInt64? = nil) {
        let ended: Current? = state.withLock { state in
            guard case .somebody(let current, _) = state, number ?? current.number == current.number else { return nil }
            state = .nobody(next: current.number + 1)
            return current
        }
        ended?.files.finish()
        ended?.arriving.finish()
    }
}
