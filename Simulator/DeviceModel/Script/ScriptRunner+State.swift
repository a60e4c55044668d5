import Watch
import WatchLink

extension ScriptRunner {
    mutating func restart(_ request: RestartRequest) throws(ScriptError) {
        _ = try settled()
        do throws(RestartError) {
            try device.restart(request)
        } catch {
            throw self.error(.other("\(request == .reset ? "reset" : "restart"): \(error)"))
        }
    }

    mutating func save(to file: String) throws(ScriptError) {
        _ = try settled()
        let state: WatchState
        do throws(RestartError) {
            state = try device.saveState()
        } catch {
            throw self.error(.other("save: \(error)"))
        }
        let path = place.path(of: file)
        do throws(DeviceModelError) {
            try HostFile.replace(path, with: state.json)
        } catch {
            throw self.error(.cannotWrite(file: path, reason: error.reason))
        }
    }

    /// Makes the watch continue from the state in a file. If the file has no state for this kind of watch, throws and leaves
    /// the watch as it is.
    mutating func load(_ file: String) throws(ScriptError) {
        _ = try settled()
        let path = place.path(of: file)
        let state: WatchState
        do throws(WatchStateError) {
            state = try WatchState(contentsOf: path)
        } catch {
            throw self.error(.cannotLoad(file: path, reason: "\(error)"))
        }
        do throws(RestartError) {
            try device.loadState(state)
        } catch {
            throw self.error(.cannotLoad(file: path, reason: "\(error)"))
        }
    }

    mutating func make(_ recording: ScriptRecording) throws(ScriptError) {
        switch recording {
        case .begin(let name):
            let path = place.path(of: name)
            let frame = try settled().frame
            if let other = device.recorder.begin(frame, at: device.now, into: path) {
                throw error(.recordsAlready(file: other))
            }
            hasBegunRecording = true
        case .end:
            _ = try settled()
            guard try endRecording() else { throw error(.recordsNothing) }
        }
    }

    /// Ends the recording and writes its file. Returns false if no recording is running.
    @discardableResult
    mutating func endRecording() throws(ScriptError) -> Bool {
        hasBegunRecording = false
        switch device.endRecording(scale: max(screenshotScale, 2)) {
        case .none: return false
        case .notWritten(let reason, let path): throw error(.cannotWrite(file: path, reason: "\(reason)"))
        case .written(let recording, let path):
            if recording.isFull { output("\(path) has only the first 10 minutes, the longest recording\n") }
            return true
        }
    }

    func set(_ time: ScriptTime) throws(ScriptError) {
        guard let calendar = device.calendar else { return }
        let shown = shown(calendar)
        switch time {
        case .zone(let seconds):
            if let shown { try show(Int64(shown.seconds) + seconds - calendar.zoneSeconds, on: calendar) }
            calendar.setZone(seconds: seconds)
        case .ofDay(let seconds):
            guard let shown else { return }
            try show(Int64(shown.seconds - shown.seconds % 86_400) + Int64(seconds), on: calendar)
        case .at(let wanted):
            guard shown != nil else { return }
            try show(Int64(wanted.seconds), on: calendar)
        }
        guard !device.isPaused else { return }
        _ = device.wait(patiently: .seconds(2)) { [device] snapshot in
            guard let now = calendar.time(at: device.now, ahead: device.control?.ahead ?? 0) else { return true }
            return ClockForm.all.contains {
                snapshot.description.time == ScreenDescription.hoursAndMinutes(now, $0)
            }
        }
    }

    private func show(_ seconds: Int64, on calendar: CalendarControl) throws(ScriptError) {
        guard let seconds = UInt32(exactly: seconds) else {
            throw error(
                .malformed(
                    fault: "the watch would show a time \(seconds < 0 ? "before 1970" : "after 2105")",
                    allowed: "a time from 1970 to 2105: set another with time YYYY-MM-DD HH:MM first"))
        }
        calendar.show(LocalTime(seconds: seconds), at: device.now, ahead: device.control?.ahead ?? 0)
    }

    private func shown(_ calendar: CalendarControl) -> LocalTime? {
        calendar.time(at: device.now, ahead: device.control?.ahead ?? 0)
    }
}
