import HostSystem
import Wormhole

final class InMemoryLane: Sendable {
    private enum Phase {
        case open
        /// Datagrams are accepted and lost, and the receiver does not notice.
        case silent
        /// The sender has closed; what was sent before can still be received.
        case finished
        /// The receiver has closed.
        case abandoned
        /// The receiver of a silent lane has closed, and the sender does not notice.
        case abandonedInSilence
    }

    private struct Contents {
        var phase = Phase.open
        var datagrams: [[UInt8]] = []

        /// Returns whether there was room.
        mutating func put(_ datagram: [UInt8], _ capacity: Int) throws(WormholeError) -> Bool {
            switch phase {
            case .open:
                guard datagrams.count < capacity else { return false }
                datagrams.append(datagram)
                return true
            case .silent, .abandonedInSilence: return true
            case .finished, .abandoned: throw .closed
            }
        }

        /// - Throws: `.closed` where none will come.
        mutating func takeFirst() throws(WormholeError) -> [UInt8]? {
            switch phase {
            case .abandoned, .abandonedInSilence: throw .closed
            case .finished where datagrams.isEmpty: throw .closed
            case .open, .silent, .finished: return datagrams.isEmpty ? nil : datagrams.removeFirst()
            }
        }
    }

    private let capacity: Int
    private let contents = WaitableState(Contents())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Puts a datagram behind the others, waiting for room.
    ///
    /// - Throws: `.closed` where either side has closed, or the task is cancelled.
    func put(_ datagram: [UInt8]) async throws(WormholeError) {
        let isDone: Void? = try await contents.wait { [capacity] contents throws(WormholeError) in
            try contents.put(datagram, capacity) ? () : nil
        }
        if isDone == nil { throw .closed }
    }

    /// Puts a datagram behind the others if there is room; false if there is none.
    ///
    /// - Throws: `.closed` if either side has closed.
    func putAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        try contents.change { contents throws(WormholeError) in try contents.put(datagram, capacity) }
    }

    /// Waits for the next datagram.
    ///
    /// - Throws: `.closed` where the sender has closed and all that it sent was received, this side has closed, or the
    ///   task is cancelled.
    func take() async throws(WormholeError) -> [UInt8] {
        let datagram: [UInt8]? = try await contents.wait { contents throws(WormholeError) in
            try contents.takeFirst()
        }
        guard let datagram else { throw .closed }
        return datagram
    }

    /// The next datagram; nil where none is there.
    ///
    /// - Throws: `.closed`, as `take`.
    func takeAtOnce() throws(WormholeError) -> [UInt8]? {
        try contents.change { contents throws(WormholeError) in try contents.takeFirst() }
    }

    /// The sender closes. The receiver of a silent lane does not learn of it.
    func finish() {
        contents.change { contents in
            if case .open = contents.phase { contents.phase = .finished }
        }
    }

    /// The receiver closes. The sender of a silent lane does not learn of it.
    func abandon() {
        contents.change { contents in
            switch contents.phase {
            case .open, .finished, .abandoned: contents.phase = .abandoned
            case .silent, .abandonedInSilence: contents.phase = .abandonedInSilence
            }
            contents.datagrams = []
        }
    }

    func silence() {
        contents.change { contents in
            guard case .open = contents.phase else { return }
            contents.phase = .silent
            contents.datagrams = []
        }
    }
}
