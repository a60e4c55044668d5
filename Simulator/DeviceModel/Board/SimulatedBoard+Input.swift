import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// The oldest input that has not been taken yet, or nil. None is ever lost. The radio learns that there is one.
    ///
    /// A finger is seen at the next scan of the touch controller, which is when its interrupt fires: the input bears that time.
    public func nextInput() -> TimedInput? {
        // The run loop comes by here before everything else that it does.
        control?.waitUntilItGoes()
        if let interrupt = nextInterrupt, clock.now < interrupt { return nil }
        guard var input = inputs.next() else { return nil }
        input.time = interrupt(of: input)
        drawing.follow(.input)
        radio?.wearerActed(at: clock.now)
        control?.happened(input.input.label)
        return input
    }

    /// The scan of the profile's touch controller.
    public var touchScanInterval: Microseconds { profile.touch.scanInterval }

    /// When the interrupt of the oldest input that waits fires, or nil when none waits.
    package var nextInterrupt: Instant? {
        inputs.first.map { interrupt(of: $0) }
    }

    private func interrupt(of input: TimedInput) -> Instant {
        switch input.input {
        case .touch: profile.touch.interrupt(after: input.time)
        case .crown, .press, .hold, .pairing: input.time
        }
    }
}

extension Input {
    /// What the wearer does, or is asked, in a word or two.
    fileprivate var label: String {
        switch self {
        case .touch: "a touch"
        case .crown: "a turn of the crown"
        case .press(.crown): "a press of the crown"
        case .press(.side): "a press of the side button"
        case .hold(.crown): "a hold of the crown"
        case .hold(.side): "a hold of the side button"
        case .pairing: "a pairing"
        }
    }
}
