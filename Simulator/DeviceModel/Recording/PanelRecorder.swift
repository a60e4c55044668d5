import Synchronization
import Watch
import WatchLink

/// Records what the panel of a watch shows, from when it is asked to until it is asked to stop.
///
/// Every method may be called from every thread.
public final class PanelRecorder: Sendable {
    private enum State {
        case off
        case on(PanelRecording)
    }

    private let state = Mutex(State.off)

    init() {}

    /// Whether it records.
    package var isOn: Bool {
        state.withLock { state in
            switch state {
            case .off: false
            case .on: true
            }
        }
    }

    /// Begins to record, with what a watch shows now. A recording that goes on already goes on.
    package func begin(_ frame: PanelFrame, at time: Instant) {
        state.withLock { state in
            switch state {
            case .off: state = .on(PanelRecording(of: frame, from: time))
            case .on: break
            }
        }
    }

    /// Ends the recording, and returns it; nil where none goes on.
    package func end(at time: Instant) -> PanelRecording? {
        state.withLock { state in
            switch state {
            case .off: return nil
            case .on(var recording):
                state = .off
                recording.end(at: time)
                return recording
            }
        }
    }

    /// The watch has something new to see.
    func show(_ frame: PanelFrame, at time: Instant) {
        change { $0.show(frame, at: time) }
    }

    /// The wearer does something.
    func enter(_ input: TimedInput) {
        switch input.input {
        case .touch(let x, let y): change { $0.touch(x: x, y: y, at: input.time) }
        case .crown, .press, .hold, .pairing: break
        }
    }

    private func change(_ body: (inout PanelRecording) -> Void) {
        state.withLock { state in
            guard case .on(var recording) = state else { return }
            // The lock holds one copy of it, so that the pictures are not copied with each change.
            state = .off
            body(&recording)
            state = .on(recording)
        }
    }
}
