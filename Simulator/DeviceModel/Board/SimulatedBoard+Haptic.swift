import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Starts `pattern`, and records when it is felt.
    public func play(_ pattern: HapticPattern) {
        output.work.hapticPatterns += 1
        charge(profile.haptic.busWrite, to: \.haptic)
        output.play(HapticPulse(pattern, at: clock.now + profile.haptic.start))
    }
}
