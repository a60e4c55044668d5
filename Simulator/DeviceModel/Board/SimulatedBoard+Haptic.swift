import Watch

extension SimulatedBoard where Flash: ~Copyable {
    /// Records that `pattern` began now.
    public func play(_ pattern: HapticPattern) {
        output.play(HapticPulse(pattern, at: clock.now))
    }
}
