import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// The oldest input that has not been taken yet, or nil. None is ever lost. The radio learns that there is one.
    ///
    /// A finger is seen at the next scan of the touch controller, which is when its interrupt fires: the input bears that time.
    public func nextInput() -> TimedInput? {
        if let interrupt = nextInterrupt, clock.now < interrupt { return nil }
        guard var input = inputs.next() else { return nil }
        input.time = interrupt(of: input)
        radio?.wearerActed(at: clock.now)
        return input
    }

    /// When the interrupt of the oldest input that waits fires, or nil when none waits.
    var nextInterrupt: Instant? {
        inputs.first.map { interrupt(of: $0) }
    }

    private func interrupt(of input: TimedInput) -> Instant {
        switch input.input {
        case .touch: profile.touch.interrupt(after: input.time)
        case .crown, .press, .pairing: input.time
        }
    }
}
