import Synchronization
import Watch
import WatchLink

/// Records the pictures on a watch's panel.
///
/// Every method may be called from any thread.
public final class PanelRecorder: Sendable {
    private let running = Mutex<(recording: PanelRecording, path: String)?>(nil)

    init() {}

    package var isOn: Bool { running.withLock { $0 != nil } }

    /// Starts a recording whose first picture is `frame`. Does nothing if a recording is already running. The GIF file
    /// will be at `path`. The method `end` returns this path.
    ///
    /// - Returns: nil if the recording has started. Otherwise the path of the recording that is already running.
    package func begin(_ frame: PanelFrame, at time: Instant, into path: String) -> String? {
        running.withLock { running in
            if let running { return running.path }
            running = (PanelRecording(of: frame, from: time), path)
            return nil
        }
    }

    /// Ends the recording and returns it. Nil if none is running.
    package func end(at time: Instant) -> (recording: PanelRecording, path: String)? {
        running.withLock { running in
            defer { running = nil }
            running?.recording.end(at: time)
            return running
        }
    }

    func show(_ frame: PanelFrame, at time: Instant) {
        running.withLock { $0?.recording.show(frame, at: time) }
    }

    func enter(_ input: TimedInput) {
        guard case .touch(let x, let y) = input.input else { return }
        running.withLock { $0?.recording.touch(x: x, y: y, at: input.time) }
    }
}

package enum EndedRecording {
    case none
    case written(PanelRecording, path: String)
    case notWritten(DeviceModelError, path: String)
}
