import Synchronization
import Watch
import WatchLink

/// Records what the panel of a watch shows.
///
/// Every method may be called from every thread.
public final class PanelRecorder: Sendable {
    private enum State {
        case off
        case on(PanelRecording, path: String)
    }

    private let state = Mutex(State.off)

    init() {}

    package var isOn: Bool {
        state.withLock { state in
            switch state {
            case .off: false
            case .on: true
            }
        }
    }

    /// Begins with the watch's present picture. `path` is the GIF file for the recording.
    ///
    /// - Returns: the path of a recording that runs already; nil if this one has begun.
    package func begin(_ frame: PanelFrame, at time: Instant, into path: String) -> String? {
        state.withLock { state in
            switch state {
            case .off:
                state = .on(PanelRecording(of: frame, from: time), path: path)
                return nil
            case .on(_, let other): return other
            }
        }
    }

    /// Ends the recording; nil if none runs.
    package func end(at time: Instant) -> (recording: PanelRecording, path: String)? {
        state.withLock { state in
            switch state {
            case .off: return nil
            case .on(var recording, let path):
                state = .off
                recording.end(at: time)
                return (recording, path)
            }
        }
    }

    func show(_ frame: PanelFrame, at time: Instant) {
        change { $0.show(frame, at: time) }
    }

    func enter(_ input: TimedInput) {
        switch input.input {
        case .touch(let x, let y): change { $0.touch(x: x, y: y, at: input.time) }
        case .moved, .lifted, .crown, .press, .hold, .pairing, .wrist, .clock: break
        }
    }

    private func change(_ body: (inout PanelRecording) -> Void) {
        state.withLock { state in
            guard case .on(var recording, let path) = state else { return }
            // Without this, each change would copy the pictures, because the lock would hold a second copy.
            state = .off
            body(&recording)
            state = .on(recording, path: path)
        }
    }
}

package enum EndedRecording {
    case none
    case written(PanelRecording, path: String)
    case notWritten(DeviceModelError, path: String)
}
