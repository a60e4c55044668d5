extension WatchDevice {
    /// Ends the recording that goes on, and writes it.
    ///
    /// - Parameter scale: how many pixels of the file, across and down, one pixel of the panel makes.
    package func endRecording(scale: Int = 2) -> EndedRecording {
        guard let (recording, file) = recorder?.end(at: now) else { return .none }
        do throws(DeviceModelError) {
            try file.write(recording, scale: scale)
            return .written(recording, path: file.path)
        } catch {
            return .notWritten(error, path: file.path)
        }
    }
}
