import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Starts `pattern`, and records when it is felt; or records a warning, where the battery has not enough for it.
    public func play(_ pattern: HapticPattern) {
        switch switches.faults.supply {
        case .sufficient: start(pattern)
        case .low: output.warnOfVoltage(at: clock.now)
        }
    }

    private func start(_ pattern: HapticPattern) {
        output.work.hapticPatterns += 1
        charge(profile.haptic.busWrite, to: \.haptic)
        output.playFelt(HapticPulse(pattern, at: clock.now + profile.haptic.start))
    }
}
