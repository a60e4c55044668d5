import Watch
import WatchLink

/// What scripts and tests need in order to touch like a wearer, who sees a row before the finger comes down on it.
///
/// A touch counts for the rows that were on the panel for a whole scan of the touch controller before its interrupt. A
/// program can touch sooner than that after it has seen them.
extension WatchDevice {
    /// Waits until the panel shows the whole screen with the rows that the description names, and has shown the same for a scan of the
    /// touch controller, but no longer than a second of the watch's time, and not at all where that stands still.
    ///
    /// - Returns: `.met` where the panel is so, with the snapshot that says it.
    @discardableResult public func look() -> WaitOutcome {
        let limit = now + .seconds(1)
        while !isPaused, now < limit {
            let seen = snapshot
            let outcome: WaitOutcome
            switch seen.panelRows {
            case .behind: outcome = wait(until: limit, for: { $0.panelRows == .current })
            case .current:
                let from = seen.output.touchableFrom
                guard now < from else { return .met(seen) }
                outcome = wait(
                    until: min(from, limit), for: { $0.output.touchableFrom > from || $0.panelRows == .behind })
            }
            switch outcome {
            case .met, .timedOut: break
            case .stopped: return outcome
            }
        }
        return .timedOut(snapshot)
    }

    /// Touches the panel as it is in the newest snapshot: now, or where it has not shown that for a scan of the touch controller
    /// yet, as soon as it has. Other inputs come now.
    ///
    /// - Returns: the input's number, as `send` does.
    @discardableResult package func sendHavingLooked(_ input: Input) -> InputNumber {
        switch input {
        case .touch: send(input, noSoonerThan: snapshot.output.touchableFrom)
        case .moved, .lifted, .crown, .press, .hold, .pairing, .wrist, .clock: send(input)
        }
    }

    /// Taps the panel as it is in the newest snapshot, as `sendHavingLooked` touches it.
    ///
    /// - Returns: the number of the last of the inputs, with which the tap begins.
    @discardableResult package func sendHavingLooked(_ tap: [Input]) -> InputNumber {
        send(tap, noSoonerThan: snapshot.output.touchableFrom)
    }
}
