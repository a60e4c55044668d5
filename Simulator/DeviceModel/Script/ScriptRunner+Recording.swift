import Watch
import WatchLink

extension ScriptRunner {
    /// Begins or ends a recording of the panel.
    mutating func make(_ recording: ScriptRecording) throws(ScriptError) {
        guard let recorder = device.recorder else { throw error(.notForThisWatch("record")) }
        switch recording {
        case .begin(let name):
            let path = place.path(of: name)
            guard let file = RecordingFile(path: path, formats: formats) else {
                throw error(.cannotWrite(file: path, reason: "recordings of this kind are not made here"))
            }
            let frame = try settled().frame
            if let other = recorder.begin(frame, at: device.now, into: file) {
                throw error(.recordsAlready(file: other.path))
            }
            recordings = .begun
        case .end:
            _ = try settled()
            guard try endRecording() else { throw error(.recordsNothing) }
        }
    }

    /// Ends the recording that goes on, and writes it; false where none does.
    @discardableResult
    mutating func endRecording() throws(ScriptError) -> Bool {
        recordings = .none
        switch device.endRecording(scale: max(screenshotScale, 2)) {
        case .none: return false
        case .notWritten(let reason, let path): throw error(.cannotWrite(file: path, reason: "\(reason)"))
        case .written(let recording, let path):
            if recording.isFull { output("\(path) has the first 10 minutes: a recording is no longer\n") }
            return true
        }
    }

    /// Writes the recording of a script that ends, where it has begun one and is all there is.
    mutating func endOwnRecording() throws(ScriptError) {
        switch (recordings, extent) {
        case (.begun, .whole): try endRecording()
        case (.begun, .part), (.none, _): break
        }
    }

    /// Sets the wall clock, and waits until the watch shows its time.
    func set(_ time: ScriptTime) throws(ScriptError) {
        guard let calendar = device.calendar else { throw error(.notForThisWatch("time")) }
        switch time {
        case .zone(let seconds): calendar.travel(toZone: seconds)
        case .ofDay(let seconds):
            guard let shown = shown(calendar) else { return }
            calendar.move(by: Int64(seconds) - Int64(shown.seconds % 86_400))
        case .at(let wanted):
            guard let shown = shown(calendar) else { return }
            calendar.move(by: Int64(wanted.seconds) - Int64(shown.seconds))
        }
        guard !device.isPaused else { return }
        _ = device.wait(patiently: .seconds(2)) { [device] snapshot in
            guard let now = calendar.time(at: device.now, ahead: device.control?.ahead ?? 0) else { return true }
            return ClockForm.all.contains {
                snapshot.description.time == ScreenDescription.hoursAndMinutes(now, $0)
            }
        }
    }

    private func shown(_ calendar: CalendarControl) -> LocalTime? {
        calendar.time(at: device.now, ahead: device.control?.ahead ?? 0)
    }
}
