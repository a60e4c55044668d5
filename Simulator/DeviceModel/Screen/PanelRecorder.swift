import Synchronization
import Watch
import WatchLink

/// Records what the panel of a watch shows.
///
/// Every method may be called from every thread.
public final class PanelRecorder: Sendable {
    private enum State {
        case off
        case on(PanelRecording, RecordingFile)
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

    /// Begins with what a watch shows now.
    ///
    /// - Returns: the file of a recording that already runs; nil if this one has begun.
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

    /// Ends the recording; nil if none runs.
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
            guard case .on(var recording, let file) = state else { return }
            // The lock holds one copy of it, so that the pictures are not copied with each change.
            state = .off
            body(&recording)
            state = .on(recording, file)
        }
    }
}

/// A kind of file that a recording becomes.
package protocol RecordingFormat: Sendable {
    var ending: String { get }

    /// - Parameter scale: pixels, across and down, for one pixel of the panel: 1 to 16. Ignored by a format without
    /// pixels.
    /// - Throws: `.encodingFailed`.
    func file(of recording: PanelRecording, scale: Int) throws(DeviceModelError) -> [UInt8]
}

package struct RecordingFile: Sendable {
    /// The endings of the names of recordings.
    package static let endings = [".gif", ".cast"]

    package let path: String
    private let format: any RecordingFormat

    /// Nil if no format has the ending.
    package init?(path: String, formats: [any RecordingFormat]) {
        guard let format = formats.first(where: { path.hasSuffix($0.ending) }) else { return nil }
        self.path = path
        self.format = format
    }

    /// - Throws: `.encodingFailed`, `.systemCall`.
    func write(_ recording: PanelRecording, scale: Int) throws(DeviceModelError) {
        try HostFile.write(try format.file(of: recording, scale: scale), to: path)
    }
}

package enum EndedRecording {
    case none
    case written(PanelRecording, path: String)
    case notWritten(DeviceModelError, path: String)
}

/// Animated GIF.
package struct GIFRecording: RecordingFormat {
    package init() {}

    package var ending: String { ".gif" }

    package func file(of recording: PanelRecording, scale: Int) throws(DeviceModelError) -> [UInt8] {
        try DeviceModelError.encoding { () throws(PictureError) in
            try GraphicsInterchangeFormat.file(recording.animation(scale: scale))
        }
    }
}
