import Watch

extension SimulatedBoard where Flash: ~Copyable {
    /// The oldest input that has not been taken yet, or nil. None is ever lost.
    public func nextInput() -> TimedInput? {
        inputs.next()
    }
}
