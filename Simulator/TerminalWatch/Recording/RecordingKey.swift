import DeviceModel
import Glibc
import Watch

/// What the key for recordings does: the first time one begins, the second time it becomes a GIF file in the working directory.
enum RecordingKey {
    /// Begins or ends a recording.
    ///
    /// - Returns: the remark on it that the terminal shows, nil for none.
    static func toggle(_ device: some WatchDevice) -> String? {
        guard let recorder = device.recorder else { return "this watch is not recorded" }
        if recorder.isOn { return end(device) }
        guard let file = RecordingFile(path: name(), formats: [GIFRecording()]) else { return nil }
        // Where a script has just begun one, that goes on.
        return recorder.begin(device.snapshot.frame, at: device.now, into: file).map { "\($0.path) is recorded" }
    }

    /// Ends a recording, and writes it.
    ///
    /// - Returns: the remark on it that the terminal shows, nil where there was no recording.
    @discardableResult
    static func end(_ device: some WatchDevice) -> String? {
        switch device.endRecording() {
        case .none: nil
        case .written(_, let path): "wrote \(path)"
        case .notWritten(let reason, let path): "\(path): \(reason)"
        }
    }

    /// A name with the time on this machine, such as `tapline-20261120-100830.gif`.
    private static func name() -> String {
        var seconds = Glibc.time(nil)
        var fields = tm()
        localtime_r(&seconds, &fields)
        let date = (fields.tm_year + 1_900) * 10_000 + (fields.tm_mon + 1) * 100 + fields.tm_mday
        let time = fields.tm_hour * 10_000 + fields.tm_min * 100 + fields.tm_sec
        let digits = String(time)
        return "tapline-\(date)-\(String(repeating: "0", count: 6 - digits.count))\(digits).gif"
    }
}
