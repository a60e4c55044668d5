import DeviceModel
import SampleStopwatch
import Synchronization
import Watch
import WatchLink

/// The program on the phone that keeps the time, on the bench's virtual clock.
final class PhoneStopwatch: Sendable {
    enum State: Equatable {
        case stopped(at: UInt32)
        case running(from: UInt32)

        var seconds: UInt32 {
            switch self {
            case .stopped(let seconds), .running(let seconds): seconds
            }
        }
    }

    private let state = Mutex(State.stopped(at: 0))
    private let saves = Mutex<[UInt32]>([])

    var saved: [UInt32] { saves.withLock { $0 } }
    var now: State { state.withLock { $0 } }

    /// Answers what the watch asks.
    func serve(_ bench: WatchBench<StopwatchHandler>) {
        bench.answer("stopwatch/start") { [self] _ in
            change { .running(from: $0.seconds) }
        }
        bench.answer("stopwatch/pause") { [self] _ in
            change { .stopped(at: $0.seconds) }
        }
        bench.answer("stopwatch/save") { [self] _ in
            saves.withLock { $0.append(now.seconds) }
            return now.seconds
        }
    }

    /// A second of virtual time passes; the elapsed time is relayed while the stopwatch runs.
    func tick(_ bench: WatchBench<StopwatchHandler>) {
        switch change(to: { if case .running(let seconds) = $0 { .running(from: seconds + 1) } else { $0 } }) {
        case .running(let seconds): bench.pass(latest: "stopwatch/elapsed", seconds)
        case .stopped: break
        }
        bench.run(for: .seconds(1))
    }

    private func change(_ change: (State) -> State) -> UInt32 { self.change(to: change).seconds }

    private func change(to change: (State) -> State) -> State {
        state.withLock { state in
            state = change(state)
            return state
        }
    }
}
