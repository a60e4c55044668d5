import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// The oldest input that has not been taken yet, or nil. None is ever lost. The radio learns that there is one.
    ///
    /// What a finger does is seen at the next scan of the touch controller, which is when its interrupt fires: the input bears that
    /// time.
    public func nextInput() -> TimedInput? {
        // The run loop comes by here before everything else that it does.
        control?.waitUntilItGoes()
        if let interrupt = nextInterrupt, clock.now < interrupt { return nil }
        guard var input = inputs.next() else { return nil }
        input.time = interrupt(of: input)
        noteScan(of: input)
        switch input.input {
        case .wrist(.removed): wrist = .removed
        case .wrist(.worn): wrist = .worn
        case .wrist(.raised), .touch, .moved, .lifted, .crown, .press, .hold, .pairing, .clock: break
        }
        drawing.follow(.input)
        radio?.wearerActed(at: clock.now)
        control?.happened(input.input.label)
        return input
    }

    /// The scan of the profile's touch controller: at rest it comes less often.
    public var touchScanInterval: Microseconds { fingerWait }

    /// When the interrupt of the oldest input that waits fires, or nil when none waits.
    package var nextInterrupt: Instant? {
        inputs.first.map { interrupt(of: $0) }
    }

    /// When the interrupt fires for a finger that comes down at `instant`, if none does before.
    package func interrupt(ofFingerAt instant: Instant) -> Instant {
        profile.touch.interrupt(after: instant, lastScan: fingerScan)
    }

    private func interrupt(of input: TimedInput) -> Instant {
        switch input.input {
        case .touch: interrupt(ofFingerAt: input.time)
        case .moved, .lifted: profile.touch.interrupt(ofPressedFingerAt: input.time, lastScan: fingerScan)
        case .crown, .press, .hold, .pairing, .wrist, .clock: input.time
        }
    }

    /// Notes that the touch controller has seen a finger, which keeps it from resting.
    private func noteScan(of input: TimedInput) {
        switch input.input {
        case .touch:
            fingerWait = profile.touch.wait(before: input.time, lastScan: fingerScan)
            fingerScan = input.time
        case .moved, .lifted: fingerScan = input.time
        case .crown, .press, .hold, .pairing, .wrist, .clock: break
        }
    }
}

extension Input {
    /// What the wearer does, or is asked, in a word or two.
    fileprivate var label: String {
        switch self {
        case .touch: "a touch"
        case .moved: "a move of the finger"
        case .lifted: "a lift of the finger"
        case .crown: "a turn of the crown"
        case .press(.crown): "a press of the crown"
        case .press(.side): "a press of the side button"
        case .hold(.crown): "a hold of the crown"
        case .hold(.side): "a hold of the side button"
        case .pairing: "a pairing"
        case .wrist(.removed): "off the wrist"
        case .wrist(.worn): "on the wrist"
        case .wrist(.raised): "a raised wrist"
        case .clock: "another form of the hours"
        }
    }
}
