import WatchLink

extension ScriptRunner {
    /// Fails where a statement needs what this watch has not, before anything is done.
    func check(_ statements: [ScriptStatement]) throws(ScriptError) {
        for statement in statements {
            switch statement.command {
            case .pause: try demand(device.control != nil, "pause", statement)
            case .resume: try demand(device.control != nil, "resume", statement)
            case .step: try demand(device.control != nil, "step", statement)
            case .speed: try demand(device.control != nil, "speed", statement)
            case .fault: try demand(device.faults != nil, "fault", statement)
            case .expect(.mark(.felt, _)):
                // The firmware's board has no actuator: it says that it plays a pattern, and not when that is felt.
                try demand(device.snapshot.output.hapticTimes == .known, "expect felt", statement)
            case .record: try demand(device.recorder != nil, "record", statement)
            case .time: try demand(device.calendar != nil, "time", statement)
            case .restart: try demand(device.restarts == .possible, "restart", statement)
            case .reset: try demand(device.restarts == .possible, "reset", statement)
            case .save: try demand(device.restarts == .possible, "save", statement)
            case .load: try demand(device.restarts == .possible, "load", statement)
            case .battery(.charge): try demand(device.battery != nil, "battery", statement)
            case .battery(.charging): try demand(device.battery != nil, "charging", statement)
            case .phone: if phone == nil { throw ScriptError(.noPhone("phone"), at: statement.place) }
            case .repeat(_, let inner): try check(inner)
            case .tap, .touch, .drag, .swipe, .crown, .press, .hold, .holdRow, .wrist, .hours, .wait, .waitUntil,
                .expect, .screenshot,
                .describe, .quit:
                break
            }
        }
    }

    private func demand(_ isThere: Bool, _ command: String, _ statement: ScriptStatement) throws(ScriptError) {
        if !isThere { throw ScriptError(.notForThisWatch(command), at: statement.place) }
    }

    /// The way to the watch's time, for a command.
    func control(_ command: String) throws(ScriptError) -> ClockControl {
        guard let control = device.control else { throw error(.notForThisWatch(command)) }
        return control
    }

    /// How long a step waits for an event: 30 s.
    private static let stepLimit = Microseconds.seconds(30)

    /// Resumes the watch's time until the next event. Pauses it when there is none within the limit.
    func step(_ control: ClockControl) throws(ScriptError) {
        control.step()
        let outcome = device.wait(patiently: ScriptRunner.stepLimit) { _ in control.state.isPaused }
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
