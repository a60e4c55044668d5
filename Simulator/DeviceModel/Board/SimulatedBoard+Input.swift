import Watch

extension SimulatedBoard where Flash: ~Copyable {
    /// The oldest input that has not been taken yet, or nil. None is ever lost. The radio learns that there is one.
    public func nextInput() -> TimedInput? {
        guard let input = inputs.next() else { return nil }
        radio?.wearerActed(at: clock.now)
        return input
    }
}
