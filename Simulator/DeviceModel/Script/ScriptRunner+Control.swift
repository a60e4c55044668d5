import WatchLink

extension ScriptRunner {
    /// The way to the watch's time, for a command.
    func control(_ command: String) throws(ScriptError) -> ClockControl {
        guard let control = device.control else { throw error(.notForThisWatch(command)) }
        return control
    }

    /// Resumes the watch's time until the next event. Pauses it when there is none within the limit.
    func step(_ control: ClockControl) throws(ScriptError) {
        control.step()
        let outcome = device.wait(patiently: ScriptRunner.handlingLimit) { _ in control.state.isPaused }
        switch outcome {
        case .met: break
        case .timedOut:
            control.pause()
            throw error(.nothingHappened)
        case .stopped(let snapshot): throw error(ScriptRunner.problem(of: snapshot))
        }
    }

    /// Changes what is wrong with the watch.
    func make(_ change: FaultChange) throws(ScriptError) {
        guard device.faults != nil else { throw error(.notForThisWatch("fault")) }
        device.make(change)
    }
}
