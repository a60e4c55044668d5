import Synchronization
import Watch
import WatchLink

/// Records the pictures on a watch's panel.
///
/// Every method may be called from any thread.
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

    /// Starts a recording with the watch's current picture. `path` is the GIF file to write at its end.
    ///
    /// - Returns: the path of a recording that is already running. Nil if the new one has started.
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

    /// Ends the recording and returns it. Nil if none is running.
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
            // Otherwise the state would hold a second reference to the pictures, and each change would copy them.
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
