import DeviceModel
import HostSystem
import Watch
import WatchLink

/// The radio of a watch in these tests: it records what goes over it, and either plays a tape or passes the datagrams
/// to and from whoever is at its other end.
final class TapePort: RadioPort, Sendable {
    private struct State {
        var radio = RadioState.down
        var connections: UInt32 = 0
        /// What was sent and nobody has fetched yet.
        var sent: [[UInt8]] = []
        /// What waits to be received.
        var arrived: [[UInt8]] = []
        var recorded: [Tape.Line] = []
        /// What remains of the tape that is played.
        var script: [Tape.Line] = []
        /// The longest wait for an answer to what was sent, in microseconds of this machine; none by default.
        var patience: UInt64 = 0
        /// How many datagrams were sent since the last one arrived.
        var unanswered = 0
    }

    private let contents = WaitableState(State())

    /// Opens a channel.
    ///
    /// - Parameter tape: what is to arrive, each datagram once the watch has sent what comes before it.
    func connect(playing tape: Tape? = nil) {
        contents.change { state in
            state.connections += 1
            state.radio = .up(connection: state.connections, maximumSDU: 512)
            state.sent = []
            state.arrived = []
            state.recorded = []
            state.script = tape?.lines ?? []
            state.unanswered = 0
        }
    }

    func cut() {
        contents.change { $0.radio = .down }
    }

    var isUp: Bool { contents.value.radio != .down }

    /// What went over the present channel, or the last one.
    var recording: Tape { Tape(contents.value.recorded) }

    /// Lets the watch wait for an answer of a phone that is a thread of its own.
    func waitForAnswers(microseconds: UInt64) {
        contents.change { $0.patience = microseconds }
    }

    // MARK: The far end

    func arrive(_ datagram: [UInt8]) {
        contents.change { $0.arrived.append(datagram) }
    }

    /// Returns once something has arrived that the watch has not taken, or the channel is cut.
    func waitForArrival() async {
        _ = await contents.wait { state in state.arrived.isEmpty && state.radio != .down ? nil : true }
    }

    /// The next datagram of the watch; nil once the channel is cut.
    func nextSent() async -> [UInt8]? {
        await contents.wait { state -> [UInt8]?? in
            if !state.sent.isEmpty { return .some(state.sent.removeFirst()) }
            return state.radio == .down ? .some(nil) : nil
        } ?? nil
    }

    // MARK: The tape

    /// The tape's next line, which is taken off the tape unless it is a datagram for the watch.
    func nextUnlessArriving() -> Tape.Line? {
        contents.change { state in
            switch state.script.first {
            case .toWatch, nil: return state.script.first
            case .fromWatch, .tap: return state.script.removeFirst()
            }
        }
    }

    func note(_ line: Tape.Line) {
        contents.change { $0.recorded.append(line) }
    }

    // MARK: RadioPort

    var state: RadioState { contents.value.radio }

    func send(_ datagram: Span<UInt8>) -> RadioOutcome {
        let bytes = datagram.indices.map { datagram[$0] }
        return contents.change { state in
            guard state.radio != .down else { return .refused }
            state.sent.append(bytes)
            state.recorded.append(.fromWatch(bytes))
            state.unanswered += 1
            if case .fromWatch = state.script.first { state.script.removeFirst() }
            return .sent
        }
    }

    func receive(into buffer: inout MutableSpan<UInt8>) -> Int? {
        let limit = contents.value.unanswered > 0 ? contents.value.patience : 0
        if limit > 0 {
            var rounds = 0
            contents.block { state -> WaitableState<State>.ThreadStep<Void> in
                rounds += 1
                return state.arrived.isEmpty && rounds < 3 ? .wait(microseconds: limit) : .finish(())
            }
        }
        let datagram = contents.change { state -> [UInt8]? in
            state.unanswered = 0
            if case .toWatch(let bytes) = state.script.first {
                state.script.removeFirst()
                state.arrived.append(bytes)
            }
            guard !state.arrived.isEmpty else { return nil }
            let bytes = state.arrived.removeFirst()
            state.recorded.append(.toWatch(bytes))
            return bytes
        }
        guard let datagram else { return nil }
        for index in 0..<min(datagram.count, buffer.count) { buffer[index] = datagram[index] }
        return datagram.count
    }

    func disconnect() { cut() }

    var interest: RadioInterest { RadioInterest(.nothing) }

    func service(at now: Instant) {}
}
