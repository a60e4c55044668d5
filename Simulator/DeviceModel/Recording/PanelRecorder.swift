import Synchronization
import Watch
import WatchLink

/// Records what the panel of a watch shows, from when it is asked to until it is asked to stop.
///
/// Every method may be called from every thread.
public final class PanelRecorder: Sendable {
    private enum State {
        case off
        case on(PanelRecording, RecordingFile)
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

    /// Begins to record, with what a watch shows now.
    ///
    /// - Returns: the file of a recording that goes on already, and goes on; nil where this one has begun.
    package func begin(_ frame: PanelFrame, at time: Instant, into file: RecordingFile) -> RecordingFile? {
        state.withLock { state in
            switch state {
            case .off:
                state = .on(PanelRecording(of: frame, from: time), file)
                return nil
            case .on(_, let other): return other
            }
        }
    }

    /// Ends the recording, and returns it with the file that it is for; nil where none goes on.
    package func end(at time: Instant) -> (recording: PanelRecording, file: RecordingFile)? {
        state.withLock { state in
            switch state {
            case .off: return nil
            case .on(var recording, let file):
                state = .off
                recording.end(at: time)
                return (recording, file)
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
        case .moved, .lifted, .crown, .press, .hold, .pairing, .wrist, .clock: break
        }
    }

    private func change(_ body: (inout PanelRecording) -> Void) {
        state.withLock { state in
            guard case .on(var recording, let file) = state else { return }
            // The lock holds one copy of it, so that the pictures are not copied with each change.
            state = .off
            body(&recording)
            state = .on(recording, file)
        }
    }
}
